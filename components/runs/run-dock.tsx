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
import { type Tab, Tabs } from '#components/ui/tabs'
import type { RunView } from '#lib/wire/runs'
import { BranchTree } from './branch-tree'
import { RunAnswer } from './run-answer'
import styles from './run-dock.module.css'
import { clockText, clockUnit } from './timeline'

export interface RunDockProps {
  readonly tabs: readonly Tab[]
  /** The tabs are not here but above the page, which is one column. */
  readonly isBare: boolean
  readonly tab: string
  onTab(tab: string): void
  readonly selected: string | null
  onSelect(row: Row): void
  /** Whether a person chose the selected row. */
  readonly isChosen: boolean
  readonly run: RunView
}

/** What the dock can show of a run. */
export function useDockTabs(runId: string, shown: string | null): readonly Tab[] {
  const events = useRun((run) => run.seq)
  const hasPlan = useRun((run) => run.state?.plan !== undefined)
  const files = useFileCount()
  const branches = useBranches(runId).data?.items.length ?? 0
  return [
    { id: 'trace', label: 'Trace' },
    { id: 'answer', label: 'Answer' },
    ...(hasPlan ? [{ id: 'plan', label: 'Plan' }] : []),
    ...(files > 0 || shown === 'files' ? [{ id: 'files', label: 'Files', count: files }] : []),
    ...(branches > 1 || shown === 'branches' ? [{ id: 'branches', label: 'Branches', count: branches }] : []),
    { id: 'events', label: 'Events', ...(events > 0 && { count: events }) },
  ]
}

export function RunDock({ tabs, isBare, tab, onTab, run, ...rows }: RunDockProps) {
  const error = useRun((run) => run.error)
  const tree = useBranches(run.id).data
  const [tools, setTools] = useState<HTMLElement | null>(null)
  return (
    <section className={styles.dock} aria-label="Trace">
      {!isBare && (
        <header className={shared.tabHead}>
          <Tabs tabs={tabs} value={tab} onChange={onTab} label="Views of the run" />
          <ReplayNote />
          <span ref={setTools} className={styles.tools} />
        </header>
      )}
      {error !== null && <ErrorNote error={error} />}
      <div
        className={shared.tabPanel}
        role="tabpanel"
        aria-label={tabs.find((each) => each.id === tab)?.label}
      >
        {tab === 'trace' && <TraceSoFar {...rows} tools={isBare ? undefined : tools} />}
        {tab === 'answer' && <RunAnswer run={run} />}
        {tab === 'plan' && <PlanView />}
        {tab === 'files' && <FileList />}
        {tab === 'branches' && (
          <BranchTree
            branches={tree?.items ?? []}
            isTruncated={tree?.truncated ?? false}
            currentId={run.id}
          />
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
  /** Undefined where the head of the table holds the tools. */
  readonly tools: HTMLElement | null | undefined
}

function TraceSoFar(rows: TraceSoFarProps) {
  const status = useRun((run) => run.state?.status ?? null)
  const ahead = useAhead()
  if (status === null) return <Skeleton height="100%" />
  if (status === 'queued')
    return <p className={shared.empty}>{queuedWords(ahead)}. It starts when a slot is free.</p>
  return <TraceTable {...rows} />
}
