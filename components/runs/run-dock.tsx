'use client'
/** The dock below the drawing: the run's trace, answer, plan and files, and its stored events. */
import { useState } from 'react'
import { useBranches } from '#components/data/runs'
import { FileList, useFileCount } from '#components/observation/file-list'
import { PlanView } from '#components/observation/plan-view'
import { useRun } from '#components/run/run-context'
import { useAhead } from '#components/run/use-ahead'
import { queuedWords } from '#components/run/wait-words'
import { EventList } from '#components/trace/event-list'
import type { Row } from '#components/trace/row'
import { TraceTable } from '#components/trace/trace-table'
import { Skeleton } from '#components/ui/bits'
import { ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import { Tabs } from '#components/ui/tabs'
import type { RunView } from '#lib/wire/runs'
import { BranchTree } from './branch-tree'
import { RunAnswer } from './run-answer'
import styles from './run-dock.module.css'
import { clockText, clockUnit } from './timeline'

export interface RunDockProps {
  readonly tab: string
  onTab(tab: string): void
  readonly selected: string | null
  onSelect(row: Row): void
  /** Whether a person chose the selected row. */
  readonly isChosen: boolean
  readonly run: RunView
}

export function RunDock({ tab, onTab, run, ...rows }: RunDockProps) {
  const events = useRun((run) => run.seq)
  const error = useRun((run) => run.error)
  const hasPlan = useRun((run) => run.state?.plan !== undefined)
  const files = useFileCount()
  const tree = useBranches(run.id).data
  const branches = tree?.items ?? []
  const [tools, setTools] = useState<HTMLElement | null>(null)
  const tabs = [
    { id: 'trace', label: 'Trace' },
    { id: 'answer', label: 'Answer' },
    ...(hasPlan ? [{ id: 'plan', label: 'Plan' }] : []),
    ...(files > 0 || tab === 'files' ? [{ id: 'files', label: 'Files', count: files }] : []),
    ...(branches.length > 1 || tab === 'branches'
      ? [{ id: 'branches', label: 'Branches', count: branches.length }]
      : []),
    { id: 'events', label: 'Events', ...(events > 0 && { count: events }) },
  ]
  return (
    <section className={styles.dock} aria-label="Trace">
      <header className={shared.tabHead}>
        <Tabs tabs={tabs} value={tab} onChange={onTab} label="Views of the run" />
        <ReplayNote />
        <span ref={setTools} className={styles.tools} />
      </header>
      {error !== null && <ErrorNote error={error} />}
      <div
        className={shared.tabPanel}
        role="tabpanel"
        aria-label={tabs.find((each) => each.id === tab)?.label}
      >
        {tab === 'trace' && <TraceSoFar {...rows} tools={tools} />}
        {tab === 'answer' && <RunAnswer run={run} />}
        {tab === 'plan' && <PlanView />}
        {tab === 'files' && <FileList />}
        {tab === 'branches' && (
          <BranchTree branches={branches} isTruncated={tree?.truncated ?? false} currentId={run.id} />
        )}
        {tab === 'events' && <EventList />}
      </div>
    </section>
  )
}

/** The position of the replay, with a note that it costs nothing. */
function ReplayNote() {
  const text = useRun(({ replay, state, events }) => {
    const first = events[0]?.at
    if (replay === null || state === null || first === undefined) return null
    const start = state.startedAt ?? first
    const span = state.lastAt - start
    return `Replay at ${clockText(Math.max(0, first + replay.at - start), span)} ${clockUnit(span)}`
  })
  if (text === null) return null
  return <span className={styles.replay}>{text}, nothing is called again</span>
}

interface TraceSoFarProps extends Pick<RunDockProps, 'selected' | 'onSelect' | 'isChosen'> {
  readonly tools: HTMLElement | null
}

function TraceSoFar(rows: TraceSoFarProps) {
  const status = useRun((run) => run.state?.status ?? null)
  const ahead = useAhead()
  if (status === null) return <Skeleton height="100%" />
  if (status === 'queued')
    return <p className={shared.empty}>{queuedWords(ahead)}. It starts when a slot is free.</p>
  return <TraceTable {...rows} />
}
