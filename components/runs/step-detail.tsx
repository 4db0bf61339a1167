'use client'
/** One step, whole: its figures, the tools it was given, what the model said, each call, and the exact request. */
import { useEffect, useRef, useState } from 'react'
import { useRun } from '#components/trace/run-context'
import { Button, IconButton } from '#components/ui/button'
import { Empty } from '#components/ui/notice'
import type { Catalog } from '#lib/spec/catalog'
import type { RunState, StepState } from '#lib/spec/state'
import { type Choice, choiceOfStep, stepOf } from './choice'
import { StepCall } from './step-call'
import styles from './step-detail.module.css'
import { StepFigures } from './step-figures'
import { StepRequest } from './step-request'
import { StepRetries } from './step-retries'
import { StepThought } from './step-thought'
import { StepTools } from './step-tools'

export interface StepDetailProps {
  readonly runId: string
  readonly catalog: Catalog
  readonly choice: Choice | null
  onChoose(choice: Choice): void
}

export function StepDetail({ runId, catalog, choice, onChoose }: StepDetailProps) {
  const state = useRun((run) => run.state)
  // The state is changed in place: this tells when the step shown is another, or said more.
  useRun((run) => (run.state === null ? '' : versionOf(run.state, choice)))
  const [isRaw, setRaw] = useState(false)
  const step = state === null ? undefined : stepOf(state, choice)
  if (state === null || step === undefined) {
    return (
      <aside className={styles.detail} aria-label="Step">
        <Empty
          title={
            state?.finishedAt === undefined ? 'No step has begun yet.' : 'It ended before its first step.'
          }
        />
      </aside>
    )
  }
  const at = state.steps.indexOf(step)
  const go = (by: number) => {
    const next = state.steps[at + by]
    if (next !== undefined) onChoose(choiceOfStep(next))
  }
  return (
    <aside className={styles.detail} aria-label={`Step ${step.number}`}>
      <header className={styles.head}>
        <h2>
          {step.summary ? (
            'Closing answer'
          ) : (
            <>
              Step {step.number} <span className={styles.of}>of {state.steps.length}</span>
            </>
          )}
        </h2>
        <div role="group" aria-label="How it is shown" className={styles.ways}>
          <Button size="s" variant="quiet" pressed={!isRaw} onClick={() => setRaw(false)}>
            Rendered
          </Button>
          <Button size="s" variant="quiet" pressed={isRaw} onClick={() => setRaw(true)}>
            Raw
          </Button>
        </div>
        <IconButton
          icon="chevron-up"
          label="Step before"
          size="s"
          disabled={at === 0}
          onClick={() => go(-1)}
        />
        <IconButton
          icon="chevron-down"
          label="Next step"
          size="s"
          disabled={at === state.steps.length - 1}
          onClick={() => go(1)}
        />
      </header>
      <Body
        key={step.number}
        runId={runId}
        catalog={catalog}
        state={state}
        step={step}
        row={choice?.row}
        isRaw={isRaw}
      />
    </aside>
  )
}

interface BodyProps {
  readonly runId: string
  readonly catalog: Catalog
  readonly state: RunState
  readonly step: StepState
  /** The row chosen in the trace: a call of this step is brought into view. */
  readonly row: string | undefined
  readonly isRaw: boolean
}

function Body({ runId, catalog, state, step, row, isRaw }: BodyProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const chosen = step.calls.find((call) => row === call.id || row?.startsWith(`${call.id}-`))?.id
  useEffect(() => {
    const body = scroller.current
    if (chosen === undefined) body?.scrollTo({ top: 0 })
    else body?.querySelector(`[data-call="${CSS.escape(chosen)}"]`)?.scrollIntoView({ block: 'start' })
  }, [chosen])
  return (
    <div ref={scroller} className={styles.body} tabIndex={0} role="region" aria-label="Step detail">
      <StepFigures step={step} />
      <StepRetries step={step} />
      <StepTools state={state} step={step} />
      <StepThought step={step} isRaw={isRaw} />
      {step.calls.map((call) => (
        <StepCall
          key={call.id}
          call={call}
          icon={catalog.tools.find((each) => each.name === call.name)?.icon ?? 'wrench'}
          isRaw={isRaw}
          isChosen={call.id === chosen}
        />
      ))}
      {step.request !== undefined && <StepRequest runId={runId} step={step.number} request={step.request} />}
    </div>
  )
}

/** Other with each event of a step that goes on, and the same for good once the step is over. */
function versionOf(state: RunState, choice: Choice | null): string {
  const step = stepOf(state, choice)
  const moving = step?.finishedAt === undefined ? state.seq : 'over'
  return `${step?.number ?? 0} ${state.steps.length} ${moving}`
}
