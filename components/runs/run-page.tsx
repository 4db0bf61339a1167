'use client'
/** One run: the list beside it, the drawing as it ran, the trace, and the chosen step whole. Live while it goes. */
import { useCallback, useEffect, useState } from 'react'
import { useCatalog } from '#components/agents/queries'
import { useHotkey } from '#components/agents/use-hotkey'
import type { Row } from '#components/trace/row'
import { RunProvider, useRun, useRunActions } from '#components/trace/run-context'
import { Skeleton } from '#components/ui/bits'
import { Button, ButtonLink } from '#components/ui/button'
import { ErrorNote, isMissing } from '#components/ui/notice'
import type { RunView } from '#lib/http/runs'
import type { Catalog } from '#lib/spec/catalog'
import { type Choice, choiceOfNode, lastStepId } from './choice'
import { FrozenCanvas } from './frozen-canvas'
import { useRunView } from './queries'
import { RunBar } from './run-bar'
import { RunDock } from './run-dock'
import styles from './run-page.module.css'
import { RunRail } from './run-rail'
import { StepDetail } from './step-detail'

export function RunPage({ runId }: { runId: string }) {
  const run = useRunView(runId)
  const catalog = useCatalog()
  const error = run.error ?? catalog.error
  if (error !== null) {
    return (
      <main className={styles.failed}>
        <ErrorNote error={error}>
          <ButtonLink size="s" variant="plain" href="/runs">
            All runs
          </ButtonLink>
          {!isMissing(error) && (
            <Button
              size="s"
              variant="quiet"
              onClick={() => void (run.isError ? run.refetch() : catalog.refetch())}
            >
              Try again
            </Button>
          )}
        </ErrorNote>
      </main>
    )
  }
  if (run.data === undefined || catalog.data === undefined) return <Loading />
  return (
    <RunProvider>
      <Watched run={run.data} catalog={catalog.data} />
    </RunProvider>
  )
}

function Watched({ run, catalog }: { run: RunView; catalog: Catalog }) {
  const { watch, cancel, clear } = useRunActions()
  const state = useRun((known) => known.state)
  const isGoing = useRun((known) => known.state !== null && known.state.finishedAt === undefined)
  // Until a person chooses, the last step is shown, and followed.
  const shown = useRun((known) => lastStepId(known.state))
  const [choice, setChoice] = useState<Choice | null>(null)
  const [tab, setTab] = useState('trace')
  const [isListOpen, setListOpen] = useState(false)
  useEffect(() => {
    watch(run.id)
    return clear
  }, [run.id, watch, clear])

  const chooseRow = (row: Row) => {
    if (row.step === 0 && (row.kind === 'answer' || row.kind === 'notice')) setTab('answer')
    else setChoice({ row: row.id, step: row.step })
  }
  const chooseNode = useCallback(
    (_node: string, path: string | undefined) => {
      const found = state === null ? null : choiceOfNode(state, path)
      if (found !== null) setChoice(found)
    },
    [state],
  )
  useHotkey('Escape', () => {
    if (isListOpen) setListOpen(false)
    else if (isGoing) void cancel()
  })
  return (
    <main className={styles.page} data-list={isListOpen || undefined}>
      <RunBar run={run} isListOpen={isListOpen} onList={() => setListOpen((known) => !known)} />
      <RunRail current={run} onLeave={() => setListOpen(false)} />
      <FrozenCanvas config={run.config} catalog={catalog} onSelectNode={chooseNode} />
      <RunDock
        tab={tab}
        onTab={setTab}
        selected={choice?.row ?? shown}
        onSelect={chooseRow}
        input={run.input}
      />
      <StepDetail runId={run.id} catalog={catalog} choice={choice} onChoose={setChoice} />
    </main>
  )
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
