'use client'
/** Under the drawing: the run's trace, its answer, and its events as they are stored. */
import { EventList } from '#components/trace/event-list'
import { FileList, useFileCount } from '#components/trace/file-list'
import type { Row } from '#components/trace/row'
import { useRun } from '#components/trace/run-context'
import { TraceTable } from '#components/trace/trace-table'
import { Skeleton } from '#components/ui/bits'
import { ErrorNote } from '#components/ui/notice'
import { Tabs } from '#components/ui/tabs'
import { RunAnswer } from './run-answer'
import styles from './run-dock.module.css'

export interface RunDockProps {
  readonly tab: string
  onTab(tab: string): void
  readonly selected: string | null
  onSelect(row: Row): void
  readonly input: string
}

export function RunDock({ tab, onTab, selected, onSelect, input }: RunDockProps) {
  const events = useRun((run) => run.seq)
  const error = useRun((run) => run.error)
  const files = useFileCount()
  const tabs = [
    { id: 'trace', label: 'Trace' },
    { id: 'answer', label: 'Answer' },
    ...(files > 0 || tab === 'files' ? [{ id: 'files', label: 'Files', count: files }] : []),
    { id: 'events', label: 'Events', ...(events > 0 && { count: events }) },
  ]
  return (
    <section className={styles.dock} aria-label="Trace">
      <header className={styles.head}>
        <Tabs tabs={tabs} value={tab} onChange={onTab} label="Views of the run" />
      </header>
      {error !== null && <ErrorNote error={error} />}
      <div className={styles.panel} role="tabpanel" aria-label={tabs.find((each) => each.id === tab)?.label}>
        {tab === 'trace' && <TraceSoFar selected={selected} onSelect={onSelect} />}
        {tab === 'answer' && <RunAnswer input={input} />}
        {tab === 'files' && <FileList />}
        {tab === 'events' && <EventList />}
      </div>
    </section>
  )
}

function TraceSoFar({ selected, onSelect }: Pick<RunDockProps, 'selected' | 'onSelect'>) {
  const status = useRun((run) => run.state?.status ?? null)
  if (status === null) return <Skeleton height="100%" />
  if (status === 'queued') {
    return <p className={styles.quiet}>Queued: it begins when a run before it ends.</p>
  }
  return <TraceTable selected={selected} onSelect={onSelect} />
}
