'use client'
/**
 * The trace: one table of tree, waterfall and figures. It renders only the visible rows and follows the end
 * until a person scrolls.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useCatalog } from '#components/data/agents'
import { useRun } from '#components/run/run-context'
import { policyLabel, toolMark } from '#components/run/tool-icon'
import { Button } from '#components/ui/button'
import type { Axis } from './axis'
import { FindBar } from './find-bar'
import { RowPanel } from './opened-row'
import type { Row } from './row'
import { RowMenu } from './row-menu'
import { axisStyle, Grid, needsClock, sideOfPlayhead } from './trace-bars'
import { TraceHead } from './trace-head'
import { createTraceList, emptyList, findRow, rowBy, seen, type TraceList } from './trace-list'
import { TraceRow } from './trace-row'
import styles from './trace-table.module.css'
import { TraceTools } from './trace-tools'
import { useAxis } from './use-axis'
import { type Follow, useFollow } from './use-follow'
import { type Grid as GridState, useGrid } from './use-grid'
import { type Matches, useMatches } from './use-matches'
import { usePointedRow } from './use-pointed-row'
import { useTraceCommands } from './use-trace-commands'
import { type TraceLook, useTraceLook } from './use-trace-look'

export interface TraceTableProps {
  /** The step or call that is shown next to the table; absent where rows open in place. */
  readonly selected?: string | null
  onSelect?(row: Row): void
  /** The element for find, filter and fold; when absent, they are in the head of the table. */
  readonly tools?: HTMLElement | null
  /** Scrolls to the entry of a waiting call. */
  onReview?(path: string): void
  /** Where the details of a row open when the table is too low for them. */
  readonly beside?: HTMLElement | null
  /** Called when details open there. */
  onBeside?(): void
  /** Whether a person chose the selected row; otherwise it is the row of the playhead. */
  readonly isChosen?: boolean
}

/** Px: a lower table would show the details of a row in a few lines. */
const lowTable = 200

export function TraceTable(props: TraceTableProps) {
  const { selected, onSelect, tools, onReview, beside } = props
  const seq = useRun((run) => run.seq)
  const state = useRun((run) => run.state)
  const view = useTraceLook()
  const axis = useAxis()
  const [update] = useState(createTraceList)
  // The state is changed in place, so `seq` shows that the rows have changed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `seq` stands for the state's content
  const list = useMemo(
    () => (state === null ? emptyList : update(state, view.look)),
    [state, seq, view.look, update],
  )
  const { now, playhead } = axis
  const at = playhead === null ? undefined : rowBy(list, playhead)
  const follow = useFollow({
    height: list.height,
    isLive: now !== null,
    playhead: at?.top ?? null,
    rowHeight: view.look.rowHeight,
  })
  const isFollowed = playhead !== null && follow.isFollowing && props.isChosen !== true
  useReveal(isFollowed ? null : selected, (id) => findRow(list, id)?.top, follow.reveal)
  const [besideId, setBeside] = useState<string | null>(null)
  const isLow = beside != null && follow.view.height < lowTable
  const openBeside = (row: Row) => {
    setBeside(row.id)
    props.onBeside?.()
  }
  const grid = useGrid({ list, follow, view, onSelect, onBeside: isLow ? openBeside : undefined })
  const shownBeside = besideId === null || beside == null ? undefined : findRow(list, besideId)?.row
  const { known, go, place } = grid
  const matches = useMatches({ view, state, seq, list: known, onGo: go })
  usePointedRow({ list, view, onGo: go })
  useTraceCommands({ list: known, place, go, choose: onSelect, view, state })
  const bar = <TraceTools view={view} state={state} />
  return (
    <div className={styles.trace}>
      {tools !== undefined && tools !== null && createPortal(bar, tools)}
      {view.isFinding && (
        <FindBar
          view={view}
          found={matches.found.length}
          at={matches.at + 1}
          asked={view.asked}
          onStep={matches.step}
        />
      )}
      <TraceHead axis={axis}>{tools === undefined && bar}</TraceHead>
      <div
        ref={follow.scroller}
        className={styles.body}
        onScroll={follow.onScroll}
        role="treegrid"
        aria-label="Trace"
        aria-rowcount={list.count}
        aria-activedescendant={place < 0 ? undefined : grid.domId(place)}
        tabIndex={0}
        onFocus={grid.onFocus}
        onKeyDown={grid.onKeyDown}
        onContextMenu={grid.onContextMenu}
      >
        <Rows {...{ list, axis, view, follow, grid, matches, selected, onReview }} />
        {list.count === 0 && state !== null && (
          <p className={styles.none}>
            {state.status === 'queued' ? 'Queued, starts when a slot is free.' : 'No rows match this filter.'}
          </p>
        )}
      </div>
      {(now !== null || playhead !== null) && !follow.isFollowing && (
        <Button size="s" icon="chevron-down" className={styles.jump} onClick={follow.jump}>
          {playhead === null ? 'Jump to now' : 'Jump to the playhead'}
        </Button>
      )}
      {shownBeside !== undefined &&
        beside != null &&
        createPortal(<RowPanel row={shownBeside} onClose={() => setBeside(null)} />, beside)}
      <RowMenu open={grid.menu} onClose={grid.closeMenu} />
    </div>
  )
}

interface RowsProps extends Pick<TraceTableProps, 'selected' | 'onReview'> {
  readonly list: TraceList
  readonly axis: Axis
  readonly view: TraceLook
  readonly follow: Follow
  readonly grid: GridState
  readonly matches: Matches
}

const noMark = { icon: 'wrench', family: 'tool' } as const

function Rows({ list, axis, view, follow, grid, matches, selected, onReview }: RowsProps) {
  const { data: catalog } = useCatalog()
  const review = useCallback((row: Row) => onReview?.(row.call?.node ?? ''), [onReview])
  return (
    <div className={styles.sheet} style={{ ...axisStyle(axis), height: list.height }}>
      {seen(list, follow.view).map(({ row, top, index }) => (
        <TraceRow
          key={row.id}
          row={row}
          top={top}
          index={index}
          scale={axis.scale}
          isLive={axis.now !== null}
          now={needsClock(row) ? axis.now : null}
          when={sideOfPlayhead(row, axis)}
          isOpen={view.look.opened.has(row.id)}
          isSelected={row.id === selected}
          isActive={row.id === grid.active}
          domId={grid.domId(index)}
          query={view.isFinding ? view.query : ''}
          isMatch={matches.ids.has(row.id)}
          mark={row.call === undefined ? noMark : toolMark(catalog, row.call)}
          title={row.kind === 'ruling' ? policyLabel(catalog, row.title) : row.title}
          onChoose={grid.choose}
          onFold={grid.fold}
          onMeasure={view.measured}
          onReview={onReview === undefined ? undefined : review}
        />
      ))}
      <Grid axis={axis} />
    </div>
  )
}

/** Scrolls once to a row that was selected elsewhere, for example by a card. */
function useReveal(
  selected: string | null | undefined,
  topOf: (id: string) => number | undefined,
  reveal: (top: number) => void,
) {
  const find = useRef(topOf)
  // The initial selection was not made by a person: a stored run opens at its beginning.
  const first = useRef(selected)
  useEffect(() => {
    find.current = topOf
  })
  useEffect(() => {
    const top = selected == null ? undefined : find.current(selected)
    if (top === undefined || selected === first.current) return
    first.current = null
    reveal(top)
  }, [selected, reveal])
}
