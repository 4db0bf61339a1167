'use client'
/** The dock under the canvas: trace, problems and raw events of the run followed, with its figures at the right. */
import { type KeyboardEvent, type PointerEvent, useEffect, useState } from 'react'
import { IconButton } from '#components/ui/button'
import { Tabs } from '#components/ui/tabs'
import type { Diagnostic } from '#lib/spec/errors'
import { EventList } from './event-list'
import { FileList, useFileCount } from './file-list'
import { Problems } from './problems'
import { useRun } from './run-context'
import { RunFigures } from './run-figures'
import styles from './trace-dock.module.css'
import { TraceTable } from './trace-table'

export interface TraceDockProps {
  readonly diagnostics: readonly Diagnostic[]
  onSelectNode(node: string): void
  /** Told in pixels whenever the dock grows or shrinks: the run box beside it keeps up. */
  onHeight(height: number): void
}

const least = 120
/** The head alone. */
const foldedHeight = 37
/** Before anything has run, and from then on. */
const usual = { idle: 188, running: 328 }
/** The dock never takes more of the window than this. */
const share = 0.6

export function TraceDock({ diagnostics, onSelectNode, onHeight }: TraceDockProps) {
  const [tab, setTab] = useState('trace')
  const hasRun = useRun((run) => run.runId !== null)
  // Its height follows the run until a person sets it.
  const [chosen, setHeight] = useState<number | null>(null)
  const height = chosen ?? (hasRun ? usual.running : usual.idle)
  const [isFolded, setFolded] = useState(false)
  const events = useRun((run) => run.events.length)
  const files = useFileCount()
  const counted = diagnostics.filter((each) => each.severity !== 'info').length
  const tabs = [
    { id: 'trace', label: 'Trace' },
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
      <Sizer height={height} onSize={setHeight} onToggle={() => setFolded((known) => !known)} />
      <header className={styles.head}>
        <Tabs tabs={tabs} value={tab} onChange={choose} label="Trace" />
        <RunFigures />
        <IconButton
          icon={isFolded ? 'chevron-up' : 'panel-bottom'}
          label={isFolded ? 'Open the trace' : 'Fold the trace away'}
          size="s"
          onClick={() => setFolded((known) => !known)}
        />
      </header>
      {!isFolded && (
        <div
          className={styles.panel}
          role="tabpanel"
          aria-label={tabs.find((each) => each.id === tab)?.label}
        >
          {tab === 'trace' && <TraceOrEmpty />}
          {tab === 'files' && <FileList />}
          {tab === 'problems' && <Problems diagnostics={diagnostics} onSelectNode={onSelectNode} />}
          {tab === 'events' && <EventList />}
        </div>
      )}
    </section>
  )
}

function TraceOrEmpty() {
  const hasRun = useRun((run) => run.state !== null)
  if (hasRun) return <TraceTable />
  return (
    <p className={styles.empty}>
      Nothing has run yet. Ask something in the box at the right, and every step shows here as it happens.
    </p>
  )
}

/** The dock's upper edge: dragged, or moved with the arrow keys; a double click folds. */
function Sizer({
  height,
  onSize,
  onToggle,
}: {
  height: number
  onSize(height: number): void
  onToggle(): void
}) {
  const most = () => Math.round(window.innerHeight * share)
  const clamp = (value: number) => Math.round(Math.min(Math.max(value, least), most()))
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    onSize(clamp(window.innerHeight - event.clientY))
  }
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? 24 : event.key === 'ArrowDown' ? -24 : 0
    if (by === 0) return
    event.preventDefault()
    onSize(clamp(height + by))
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
      onKeyDown={step}
      onDoubleClick={onToggle}
    />
  )
}
