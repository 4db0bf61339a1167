'use client'
/**
 * The dock below the canvas: trace, problems and raw events of the followed run, with its figures at the
 * right.
 */
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { FileList, useFileCount } from '#components/observation/file-list'
import { PlanView } from '#components/observation/plan-view'
import { Problems } from '#components/problems/problems'
import { usePointed, useRun } from '#components/run/run-context'
import { RunFigures } from '#components/run/run-figures'
import { EventList } from '#components/trace/event-list'
import { TraceTable } from '#components/trace/trace-table'
import { IconButton } from '#components/ui/button'
import shared from '#components/ui/shared.module.css'
import { Tabs } from '#components/ui/tabs'
import { useRemembered } from '#components/ui/use-remembered'
import type { Diagnostic } from '#lib/spec/errors'
import styles from './trace-dock.module.css'

export interface TraceDockProps {
  readonly diagnostics: readonly Diagnostic[]
  onSelectNode(node: string): void
  /**
   * Called with the height in pixels whenever it changes, so that the run box next to the dock can match it.
   */
  onHeight(height: number): void
  /**
   * Called with the element of the empty trace that can hold sample questions; null once something has run.
   */
  onEmpty?(place: HTMLElement | null): void
  /** Scrolls to the entry at that path, where a person decides on its call. */
  onReview?(path: string): void
  /** Where details open when the trace is low, and what to do when they open there. */
  readonly beside?: HTMLElement | null
  onBeside?(): void
}

const least = 120
/** The height of its head, in pixels. */
const foldedHeight = 37
/** Pixels: before the first run, and from then on. */
const usual = { idle: 188, running: 328 }
/** The most of the window's height that the dock may take. */
const share = 0.6

export function TraceDock(props: TraceDockProps) {
  const { diagnostics, onSelectNode, onHeight } = props
  const [tab, setTab] = useState('trace')
  const hasRun = useRun((run) => run.runId !== null)
  const hasPlan = useRun((run) => run.state?.plan !== undefined)
  const [height, setHeight, keepHeight] = useDockHeight(hasRun)
  const [tools, setTools] = useState<HTMLElement | null>(null)
  const [isFolded, setFolded] = useState(false)
  const [pointed] = usePointed()
  // When a call is pointed at, the trace is shown, whatever the dock shows now.
  if (pointed !== null && (tab !== 'trace' || isFolded)) {
    setTab('trace')
    setFolded(false)
  }
  const events = useRun((run) => run.events.length)
  const files = useFileCount()
  const counted = diagnostics.filter((each) => each.severity !== 'info').length
  const tabs = [
    { id: 'trace', label: 'Trace' },
    ...(hasPlan ? [{ id: 'plan', label: 'Plan' }] : []),
    ...(files > 0 || tab === 'files' ? [{ id: 'files', label: 'Files', count: files }] : []),
    { id: 'problems', label: 'Problems', ...(counted > 0 && { count: counted }) },
    { id: 'events', label: 'Events', ...(events > 0 && { count: events }) },
  ]
  const choose = (id: string) => {
    setTab(id)
    setFolded(false)
  }
  const shown = isFolded ? foldedHeight : height
  useEffect(() => {
    onHeight(shown)
  }, [onHeight, shown])
  return (
    <section className={styles.dock} style={{ height: shown }} aria-label="Trace">
      <Sizer
        height={height}
        onSize={setHeight}
        onEnd={keepHeight}
        onToggle={() => setFolded((known) => !known)}
      />
      <header className={shared.tabHead}>
        <Tabs tabs={tabs} value={tab} onChange={choose} label="Trace" />
        <div className={styles.figures}>
          <RunFigures />
        </div>
        <span ref={setTools} />
        <IconButton
          icon={isFolded ? 'chevron-up' : 'panel-bottom'}
          label={isFolded ? 'Open the trace' : 'Collapse the trace'}
          size="s"
          onClick={() => setFolded((known) => !known)}
        />
      </header>
      {!isFolded && (
        <div
          className={shared.tabPanel}
          role="tabpanel"
          aria-label={tabs.find((each) => each.id === tab)?.label}
        >
          {tab === 'trace' && <TraceOrEmpty {...props} tools={tools} />}
          {tab === 'plan' && <PlanView />}
          {tab === 'files' && <FileList />}
          {tab === 'problems' && <Problems diagnostics={diagnostics} onSelectNode={onSelectNode} />}
          {tab === 'events' && <EventList />}
        </div>
      )}
    </section>
  )
}

/**
 * The height depends on whether there is a run until a person sets it; a height set by a person is
 * remembered.
 */
function useDockHeight(hasRun: boolean): [number, (height: number) => void, (height: number) => void] {
  const [kept, keep] = useRemembered('trace-height')
  const [dragged, setDragged] = useState<number | null>(null)
  const remembered = kept === null ? Number.NaN : Number(kept)
  const chosen = dragged ?? (Number.isFinite(remembered) ? clampHeight(remembered) : null)
  return [
    chosen ?? (hasRun ? usual.running : usual.idle),
    setDragged,
    (height) => {
      setDragged(height)
      keep(String(height))
    },
  ]
}

function clampHeight(height: number): number {
  const most = typeof window === 'undefined' ? height : Math.round(window.innerHeight * share)
  return Math.round(Math.max(least, Math.min(height, most)))
}

interface TraceOrEmptyProps extends Pick<TraceDockProps, 'onEmpty' | 'onReview' | 'beside' | 'onBeside'> {
  readonly tools: HTMLElement | null
}

function TraceOrEmpty({ onEmpty, ...table }: TraceOrEmptyProps) {
  const hasRun = useRun((run) => run.state !== null)
  if (hasRun)
    return (
      <TraceTable
        tools={table.tools}
        onReview={table.onReview}
        beside={table.beside}
        onBeside={table.onBeside}
      />
    )
  return (
    <div className={styles.empty}>
      <p>Nothing has run yet. Ask something in the chat, and every step shows here as it happens.</p>
      <div ref={onEmpty} className={styles.questions} />
    </div>
  )
}

interface SizerProps {
  readonly height: number
  /** Called during the resize. */
  onSize(height: number): void
  /** Called when the resize ends. */
  onEnd(height: number): void
  onToggle(): void
}

/** The dock's upper edge: dragged, or moved with the arrow keys; a double click folds the dock. */
function Sizer({ height, onSize, onEnd, onToggle }: SizerProps) {
  // A double click folds the dock, so two presses without movement must not set a height.
  const moved = useRef<number | null>(null)
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || event.movementY === 0) return
    moved.current = clampHeight(window.innerHeight - event.clientY)
    onSize(moved.current)
  }
  const end = () => {
    if (moved.current !== null) onEnd(moved.current)
    moved.current = null
  }
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? 24 : event.key === 'ArrowDown' ? -24 : 0
    if (by !== 0) onEnd(clampHeight(height + by))
    else if (event.key === 'Enter') onToggle()
    else return
    event.preventDefault()
  }
  return (
    <div
      role="separator"
      aria-label="Height of the trace"
      aria-orientation="horizontal"
      aria-valuenow={height}
      aria-valuemin={least}
      tabIndex={0}
      className={styles.sizer}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onPointerUp={end}
      onKeyDown={step}
      onDoubleClick={onToggle}
    />
  )
}
