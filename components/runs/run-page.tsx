'use client'
/**
 * One run: the list next to it, its drawing, its replay, the trace, and the details of the selected step.
 * Live while it is running.
 */
import { useRouter } from 'next/navigation'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { WaitingCards } from '#components/approval/waiting-cards'
import type { Command } from '#components/commands/commands'
import { useCommands } from '#components/commands/commands-context'
import { useCatalog } from '#components/data/agents'
import { useRunView } from '#components/data/runs'
import { ForkPlace } from '#components/fork/fork-place'
import { ShowEntryProvider } from '#components/problems/show-entry'
import { RunProvider, useRun, useRunActions, useRunStore } from '#components/run/run-context'
import { RunFigures } from '#components/run/run-figures'
import { type LiveRun, shownState } from '#components/run/run-store'
import type { Row } from '#components/trace/row'
import { Skeleton } from '#components/ui/bits'
import { PageFailed } from '#components/ui/page-failed'
import { Tabs } from '#components/ui/tabs'
import { oneColumn, useMedia } from '#components/ui/use-media'
import type { Catalog } from '#lib/spec/catalog'
import type { RunView } from '#lib/wire/runs'
import { type Choice, choiceOfNode, followedStep } from './choice'
import { FrozenCanvas } from './frozen-canvas'
import { Replay } from './replay'
import { RunBar } from './run-bar'
import { RunDock } from './run-dock'
import styles from './run-page.module.css'
import { RunRail } from './run-rail'
import { StepDetail } from './step-detail'

export function RunPage({ runId }: { runId: string }) {
  const run = useRunView(runId)
  const catalog = useCatalog()
  const error = run.error ?? catalog.error
  if (error !== null)
    return (
      <PageFailed
        error={error}
        list={{ href: '/runs', label: 'All runs' }}
        onRetry={() => void (run.isError ? run.refetch() : catalog.refetch())}
      />
    )
  if (run.data === undefined || catalog.data === undefined) return <Loading />
  return (
    <RunProvider key={runId}>
      <ForkPlace>
        <Watched run={run.data} catalog={catalog.data} />
      </ForkPlace>
    </RunProvider>
  )
}

function Watched({ run, catalog }: { run: RunView; catalog: Catalog }) {
  const { watch, clear } = useRunActions()
  const store = useRunStore()
  const shown = useRun((known) => followedStep(known.state, shownState(known)), isSameChoice)
  const [chosen, setChosen] = useState<Choice | null>(null)
  const [tab, setTab] = useState('trace')
  const [isListOpen, setListOpen] = useState(false)
  useEffect(() => {
    watch(run.id)
    return clear
  }, [run.id, watch, clear])

  const chooseRow = useCallback((row: Row) => {
    if (row.step === 0 && (row.kind === 'answer' || row.kind === 'notice')) setTab('answer')
    else setChosen({ row: row.id, step: row.step })
  }, [])
  const chooseNode = useCallback(
    (_node: string, path: string | undefined) => {
      const state = shownState(store.getState())
      const found = state === null ? null : choiceOfNode(state, path)
      if (found !== null) setChosen(found)
    },
    [store],
  )
  const router = useRouter()
  const [pointed, setPointed] = useState<{ readonly path: string } | null>(null)
  const showEntry = useCallback(
    (path: string) => {
      // The test of a model is part of Settings.
      if (path === 'model') return () => router.push('/settings')
      return path.startsWith('policies/') ? () => setPointed({ path }) : undefined
    },
    [router],
  )
  const letGo = useCallback(() => setChosen(null), [])
  useEscape(isListOpen, () => setListOpen(false))
  const choice = chosen ?? shown
  const isNarrow = useMedia(oneColumn)
  const [view, setView] = useState<View>('trace')
  const shows = (each: View) => !isNarrow || view === each
  return (
    <main className={styles.page} data-list={isListOpen || undefined}>
      <RunBar
        run={run}
        isNarrow={isNarrow}
        isListOpen={isListOpen}
        onList={() => setListOpen((known) => !known)}
      />
      <RunRail currentId={run.id} onLeave={() => setListOpen(false)} />
      {isNarrow && <Head view={view} onView={setView} />}
      {shows('drawing') && (
        <FrozenCanvas config={run.config} catalog={catalog} pointed={pointed} onSelectNode={chooseNode} />
      )}
      {(shows('drawing') || shows('trace')) && <Replay onLeap={letGo} />}
      <ShowEntryProvider value={showEntry}>
        {shows('trace') && (
          <RunDock
            tab={tab}
            onTab={setTab}
            selected={choice?.row ?? null}
            onSelect={chooseRow}
            isChosen={chosen !== null}
            run={run}
          />
        )}
        {shows('details') && (
          <StepDetail runId={run.id} choice={choice} hasAsks={!isNarrow} onChoose={setChosen} />
        )}
      </ShowEntryProvider>
    </main>
  )
}

const views = [
  { id: 'trace', label: 'Trace' },
  { id: 'drawing', label: 'Drawing' },
  { id: 'details', label: 'Details' },
] as const
type View = (typeof views)[number]['id']

/** What stands above a page of one column: the calls that wait, the figures, and the tabs. */
function Head({ view, onView }: { view: View; onView(view: View): void }) {
  const choose = (id: string) => onView(views.find((each) => each.id === id)?.id ?? view)
  return (
    <div className={styles.head}>
      <div className={styles.asks}>
        <WaitingCards frame={undefined} />
      </div>
      <div className={styles.tabs}>
        <Tabs tabs={views} value={view} onChange={choose} label="Views of the page" />
        <RunFigures part="figures" />
      </div>
    </div>
  )
}

function isSameChoice(a: Choice | null, b: Choice | null): boolean {
  return a?.row === b?.row && a?.step === b?.step
}

function isGoing({ state }: LiveRun): boolean {
  return state !== null && state.finishedAt === undefined
}

/** Escape closes the list over the page; if none is open, it stops a running run. */
function useEscape(isListOpen: boolean, closeList: () => void): void {
  const store = useRunStore()
  const { cancel } = useRunActions()
  const latest = useRef({ isListOpen, closeList })
  useEffect(() => {
    latest.current = { isListOpen, closeList }
  })
  const commands = useMemo<readonly Command[]>(
    () => [
      {
        id: 'run.stop',
        label: 'Stop the run',
        group: 'Run',
        icon: 'square',
        keys: ['Escape'],
        rank: 'stop',
        canRun: () => isGoing(store.getState()),
        run: () => void cancel(),
      },
      {
        id: 'list.close',
        label: 'Close the list of runs',
        group: 'View',
        keys: ['Escape'],
        rank: 'open',
        isUnlisted: true,
        canRun: () => latest.current.isListOpen,
        run: () => latest.current.closeList(),
      },
    ],
    [store, cancel],
  )
  useCommands(commands)
}

function Loading() {
  return (
    <main className={styles.loading} role="status" aria-label="Loading the run">
      <Skeleton height="100%" />
      <Skeleton height="100%" />
      <Skeleton height="100%" />
    </main>
  )
}
