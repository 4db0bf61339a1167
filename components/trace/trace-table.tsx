'use client'
/** The trace: one table of tree, waterfall and figures, drawn only where it is seen, following its end until a person scrolls. */
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useCatalog } from '#components/agents/queries'
import { Button } from '#components/ui/button'
import { duration, ticks } from './figures'
import type { Row } from './row'
import { rowsOf } from './rows'
import { useRun } from './run-context'
import { type Axis, TraceRow } from './trace-row'
import styles from './trace-table.module.css'
import { useNow } from './use-now'
import { type PlacedRow, place, rowHeight, seen } from './windowing'

export interface TraceTableProps {
  /** The step or call that is shown beside the table; absent where rows open in place. */
  readonly selected?: string | null
  onSelect?(row: Row): void
}

export function TraceTable({ selected, onSelect }: TraceTableProps) {
  const seq = useRun((run) => run.seq)
  const state = useRun((run) => run.state)
  const isLive = useRun((run) => run.state !== null && run.state.finishedAt === undefined)
  const [folded, setFolded] = useState<ReadonlySet<string>>(() => new Set(['tools']))
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set())
  const toolIcons = useToolIcons()
  const now = useNow(isLive)
  // The state is changed in place, so `seq` is what tells that the rows are others.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `seq` stands for the state's content
  const rows = useMemo(() => (state === null ? [] : rowsOf(state, folded)), [state, seq, folded])
  const placed = useMemo(() => place(rows, opened), [rows, opened])
  const { scroller, view, isFollowing, jump, onScroll } = useFollow(placed.height, isLive)
  useReveal(scroller, placed.items, selected)
  const start = state?.startedAt ?? state?.queuedAt ?? now
  const end = isLive ? now : (state?.lastAt ?? now)
  const axis = useMemo(() => axisOf(start, end, isLive), [start, end, isLive])

  const fold = useCallback((row: Row) => setFolded((known) => withToggled(known, row.id)), [])
  const choose = useCallback(
    (row: Row) => {
      if (onSelect !== undefined) return onSelect(row)
      if (canOpen(row)) setOpened((known) => withToggled(known, row.id))
      if (row.open !== undefined) fold(row)
    },
    [onSelect, fold],
  )
  return (
    <div className={styles.trace}>
      <div className={styles.head} aria-hidden="true">
        <span className={styles.headTitle}>Steps and calls</span>
        <span className={styles.ticks}>
          {axis.ticks
            .filter((each) => each < axis.span * lastLabel)
            .map((each) => (
              <span key={each} style={{ left: `${(each / axis.span) * 100}%` }}>
                {tickText(each)}
              </span>
            ))}
        </span>
        <span className={styles.figure}>Tokens</span>
        <span className={styles.figure}>Cost</span>
        <span className={styles.figure}>Time</span>
      </div>
      <div
        ref={scroller}
        className={styles.body}
        onScroll={onScroll}
        role="treegrid"
        aria-label="Trace"
        aria-rowcount={rows.length}
        tabIndex={-1}
        onKeyDown={moveFocus}
      >
        <div className={styles.sheet} style={{ height: placed.height }}>
          {seen(placed.items, view).map(({ row, top, isOpen, index }) => (
            <TraceRow
              key={row.id}
              row={row}
              top={top}
              index={index}
              axis={axis}
              isOpen={isOpen}
              isSelected={row.id === selected}
              toolIcon={row.call === undefined ? undefined : toolIcons.get(row.call.name)}
              onChoose={choose}
              onFold={fold}
            />
          ))}
        </div>
      </div>
      {isLive && !isFollowing && (
        <Button size="s" icon="chevron-down" className={styles.jump} onClick={jump}>
          Jump to now
        </Button>
      )}
    </div>
  )
}

/** The icon of each tool, by its name. */
function useToolIcons(): ReadonlyMap<string, string> {
  const { data } = useCatalog()
  return useMemo(() => new Map(data?.tools.map((each) => [each.name, each.icon])), [data])
}

/** A label further right would be cut. */
const lastLabel = 0.9

export function canOpen(row: Row): boolean {
  return row.kind !== 'file' && (row.call !== undefined || wordy.has(row.kind))
}

/** Rows that may hold more words than a line. */
const wordy: ReadonlySet<Row['kind']> = new Set(['thought', 'answer', 'notice', 'retry'])

function withToggled(known: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(known)
  if (!next.delete(id)) next.add(id)
  return next
}

/** Arrow keys walk the rows as in any tree; left and right fold and unfold. */
function moveFocus(event: KeyboardEvent<HTMLDivElement>) {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="row"]')]
  const at = rows.indexOf(document.activeElement as HTMLElement) // cast: what has the focus inside rows is an element
  if (at < 0) return
  const row = rows[at]
  const to = target(event.key, at, rows)
  if (to !== undefined) {
    event.preventDefault()
    const next = rows[to]
    next?.focus()
    next?.scrollIntoView({ block: 'nearest' })
  }
  const isFolded = row?.getAttribute('aria-expanded') === 'false'
  if (
    (event.key === 'ArrowRight' && isFolded) ||
    (event.key === 'ArrowLeft' && row?.getAttribute('aria-expanded') === 'true')
  ) {
    event.preventDefault()
    row?.querySelector<HTMLElement>('[data-fold]')?.click()
  }
}

/** Which of the rows drawn an arrow, Home or End leads to; left on a row without children leads to its step. */
function target(key: string, at: number, rows: readonly HTMLElement[]): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return at + 1
    case 'ArrowUp':
      return at - 1
    case 'Home':
      return 0
    case 'End':
      return rows.length - 1
    case 'ArrowLeft':
      if (rows[at]?.hasAttribute('aria-expanded')) return undefined
      return rows.findLastIndex((each, index) => index < at && each.hasAttribute('aria-expanded'))
    default:
      return undefined
  }
}

function axisOf(start: number, end: number, isLive: boolean): Axis & { ticks: number[] } {
  const elapsed = Math.max(1, end - start)
  const span = isLive ? Math.max(1_000, elapsed * 1.08) : Math.max(20, elapsed * 1.04)
  return { start, span, now: isLive ? end : null, ticks: ticks(span, 7) }
}

function tickText(ms: number): string {
  if (ms === 0) return '0'
  return ms < 1000 || ms % 1000 !== 0 ? duration(ms) : `${ms / 1000} s`
}

/** Brings a row that was chosen elsewhere (a card, the step before) into view, once. */
function useReveal(
  scroller: RefObject<HTMLElement | null>,
  items: readonly PlacedRow[],
  selected: string | null | undefined,
) {
  const known = useRef(items)
  // What is selected when the table appears was not chosen by a person: a stored run opens at its beginning.
  const first = useRef(selected)
  useEffect(() => {
    known.current = items
  })
  useEffect(() => {
    const body = scroller.current
    const top = known.current.find((each) => each.row.id === selected)?.top
    if (body === null || top === undefined || selected === first.current) return
    first.current = null
    if (top < body.scrollTop) body.scrollTop = top
    else if (top + rowHeight > body.scrollTop + body.clientHeight)
      body.scrollTop = top + rowHeight - body.clientHeight
  }, [scroller, selected])
}

/** Keeps the end in view while the run goes, until a person scrolls away from it. */
function useFollow(height: number, isLive: boolean) {
  const scroller = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 400 })
  const [isFollowing, setFollowing] = useState(true)
  useLayoutEffect(() => {
    const body = scroller.current
    if (body === null) return
    const measure = () => setView({ top: body.scrollTop, height: body.clientHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(body)
    measure()
    return () => observer.disconnect()
  }, [])
  const hasBeenLive = useRef(isLive)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a taller sheet is what there is to follow
  useEffect(() => {
    // The last rows come together with the end, so the end itself is still followed.
    hasBeenLive.current ||= isLive
    const body = scroller.current
    if (body !== null && hasBeenLive.current && isFollowing) body.scrollTop = body.scrollHeight
  }, [height, isLive, isFollowing])
  const lastTop = useRef(0)
  const onScroll = () => {
    const body = scroller.current
    if (body === null) return
    setView({ top: body.scrollTop, height: body.clientHeight })
    // The sheet may have grown since we scrolled to its end: only going back up is a person's doing.
    if (body.scrollTop < lastTop.current) setFollowing(false)
    if (body.scrollHeight - body.scrollTop - body.clientHeight < rowHeight) setFollowing(true)
    lastTop.current = body.scrollTop
  }
  return { scroller, view, isFollowing, onScroll, jump: () => setFollowing(true) }
}
