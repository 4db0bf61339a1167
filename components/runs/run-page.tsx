'use client'
/**
 * One run: the list next to it, its drawing, its replay, the trace, and the details of the selected step.
 * Live while it is running.
 */
import { useRouter } from 'next/navigation'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
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
import { Loading } from '#components/ui/bits'
import { Line } from '#components/ui/line'
import { PageFailed } from '#components/ui/page-failed'
import { type Tab, Tabs } from '#components/ui/tabs'
import { useLatest } from '#components/ui/use-latest'
import { oneColumn, useMedia } from '#components/ui/use-media'
import type { Catalog } from '#lib/spec/catalog'
import { lineOf } from '#lib/spec/line'
import type { RunView } from '#lib/wire/runs'
import { type Choice, choiceOfNode, choiceOfRow, followedStep } from './choice'
import { FrozenCanvas } from './frozen-canvas'
import { Replay } from './replay'
import { RunBar } from './run-bar'
import { RunDock, useDockTabs } from './run-dock'
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
  if (run.data === undefined || catalog.data === undefined)
    return <Loading what="the run" heights={['100%', '100%', '100%']} className={styles.loading} as="main" />
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
  const [isListOpen, setListOpen] = useState(false)
  useEffect(() => {
    watch(run.id)
    return clear
  }, [run.id, watch, clear])

  const { isNarrow, tabs, view, setView } = useViews(run)
  // The row that had the focus leaves with its view, so the tab of the new view takes the focus.
  const openView = useCallback(
    (next: string) => {
      flushSync(() => setView(next))
      document.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus()
    },
    [setView],
  )
  const chooseRow = useCallback(
    (row: Row) => {
      if (row.step === 0 && (row.kind === 'answer' || row.kind === 'notice')) return openView('answer')
      setChosen(choiceOfRow(row))
      // In one column the details of a step are a view of their own.
      if (isNarrow && row.step > 0) openView('details')
    },
    [openView, isNarrow],
  )
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
  const isDock = view !== 'drawing' && view !== 'details'
  const isShown = (side: 'drawing' | 'details') => !isNarrow || view === side
  return (
    <main className={styles.page} data-list={isListOpen || undefined}>
      <RunBar
        run={run}
        isNarrow={isNarrow}
        isListOpen={isListOpen}
        onList={() => setListOpen((known) => !known)}
      />
      <RunRail currentId={run.id} onLeave={() => setListOpen(false)} />
      {isNarrow && <Head tabs={tabs} view={view} onView={setView} question={run.input} />}
      {isShown('drawing') && (
        <FrozenCanvas config={run.config} catalog={catalog} pointed={pointed} onSelectNode={chooseNode} />
      )}
      {(!isNarrow || view === 'drawing' || view === 'trace') && <Replay onLeap={letGo} />}
      <ShowEntryProvider value={showEntry}>
        {isDock && (
          <RunDock
            tabs={tabs}
            isBare={isNarrow}
            tab={view}
            onTab={setView}
            selected={choice?.row ?? null}
            onSelect={chooseRow}
            isChosen={chosen !== null}
            run={run}
          />
        )}
        {isShown('details') && (
          <StepDetail runId={run.id} choice={choice} hasAsks={!isNarrow} onChoose={setChosen} />
        )}
      </ShowEntryProvider>
    </main>
  )
}

const narrowTabs: readonly Tab[] = [
  { id: 'drawing', label: 'Drawing' },
  { id: 'details', label: 'Details' },
]

/**
 * The views of the run and the one that is shown. A page of one column has them all in one row of tabs, and
 * shows the answer of a run that is over until a person chooses another view.
 */
function useViews({ id, finishedAt }: RunView) {
  const isNarrow = useMedia(oneColumn)
  const isOver = useRun(({ state }) => state?.finishedAt !== undefined) || finishedAt !== null
  const [chosen, setView] = useState<string | null>(null)
  const [trace, ...docked] = useDockTabs(id, chosen)
  const tabs = [...(trace === undefined ? [] : [trace]), ...(isNarrow ? narrowTabs : []), ...docked]
  const usual = isNarrow && isOver ? 'answer' : 'trace'
  const isHere = tabs.some((each) => each.id === chosen)
  return { isNarrow, tabs, view: chosen !== null && isHere ? chosen : usual, setView }
}

interface HeadProps {
  readonly tabs: readonly Tab[]
  readonly view: string
  onView(view: string): void
  readonly question: string
}

/** What is above a page of one column: the question, the calls that wait, and the tabs. */
function Head({ tabs, view, onView, question }: HeadProps) {
  return (
    <div className={styles.head}>
      {/* The answer has the question above it. */}
      {view !== 'answer' && (
        <div className={styles.asked}>
          <p title={lineOf(question)}>
            <Line text={question} />
          </p>
          <RunFigures part="figures" />
        </div>
      )}
      <div className={styles.asks}>
        <WaitingCards frame={undefined} />
      </div>
      <div className={styles.tabs}>
        <Tabs tabs={tabs} value={view} onChange={onView} label="Views of the page" />
      </div>
    </div>
  )
}

function isSameChoice(a: Choice | null, b: Choice | null): boolean {
  return a?.row === b?.row && a?.step === b?.step && a?.parent === b?.parent
}

function isGoing({ state }: LiveRun): boolean {
  return state !== null && state.finishedAt === undefined
}

/** Escape closes the list over the page; if none is open, it stops a running run. */
function useEscape(isListOpen: boolean, closeList: () => void): void {
  const store = useRunStore()
  const { cancel } = useRunActions()
  const latest = useLatest({ isListOpen, closeList })
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
