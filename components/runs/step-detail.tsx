'use client'
/**
 * The details of one step: its figures, the model's context, the tools offered, the model's output, each
 * call, and the exact request.
 */
import { useEffect, useMemo, useRef } from 'react'
import { WaitingCards } from '#components/approval/waiting-cards'
import { useCommands } from '#components/commands/commands-context'
import { useStepRequest } from '#components/data/runs'
import { ForkProvider, useFork } from '#components/run/fork-context'
import { useRun } from '#components/run/run-context'
import { useSettled } from '#components/run/use-settled'
import { IconButton } from '#components/ui/button'
import { Empty } from '#components/ui/notice'
import { Segmented } from '#components/ui/segmented'
import { useLatest } from '#components/ui/use-latest'
import { useRemembered } from '#components/ui/use-remembered'
import { lineOf } from '#lib/spec/line'
import type { RunState, StepState } from '#lib/spec/state'
import { type Choice, choiceOfStep, runOf, stepOf } from './choice'
import { StepCall } from './step-call'
import { StepContext } from './step-context'
import { StepCuts } from './step-cuts'
import styles from './step-detail.module.css'
import { StepFault } from './step-fault'
import { StepFigures } from './step-figures'
import { StepFoot } from './step-foot'
import { StepRequest } from './step-request'
import { StepRetries } from './step-retries'
import { StepThought } from './step-thought'
import { StepTools } from './step-tools'

export interface StepDetailProps {
  readonly runId: string
  readonly choice: Choice | null
  /** Whether the calls that wait for a person are shown here. */
  readonly hasAsks: boolean
  onChoose(choice: Choice): void
}

/** Milliseconds. For a step shown for a shorter time, as in a fast replay, the request is not loaded. */
const passing = 200

export function StepDetail({ runId, choice, hasAsks, onChoose }: StepDetailProps) {
  const whole = useRun((run) => run.state)
  const state = whole === null ? null : runOf(whole, choice)
  const parent = whole === state ? undefined : choice?.parent
  const forkInside = useForkInside(parent)
  // The state is changed in place: this value changes when another step is shown or when the step has new
  // content.
  useRun((run) => (run.state === null ? '' : versionOf(run.state, choice)))
  const [way, setWay] = useRemembered('step-way')
  const step = whole === null ? undefined : stepOf(whole, choice)
  const isRaw = way === 'raw'
  const settled = useSettled(step?.request === undefined ? null : keyOf(step, parent), passing)
  useStepCommands({ state, step, parent, isRaw, onChoose, onWay: setWay })
  if (state === null || step === undefined) {
    return (
      <aside className={styles.detail} aria-label="Step">
        <Empty title={emptyWords(state)} />
      </aside>
    )
  }
  const at = state.steps.indexOf(step)
  const go = (by: number) => {
    const next = state.steps[at + by]
    if (next !== undefined) onChoose(choiceOfStep(next, parent))
  }
  const body = (
    <>
      <Body
        key={`${parent} ${step.number}`}
        runId={runId}
        state={state}
        step={step}
        parent={parent}
        row={choice?.row}
        isRaw={isRaw}
        isWanted={settled === keyOf(step, parent)}
      />
      <StepFoot runId={runId} step={step} parent={parent} />
    </>
  )
  return (
    <aside className={styles.detail} aria-label={`Step ${step.number}`}>
      <header className={styles.head}>
        <h2 title={parent === undefined ? undefined : lineOf(state.start.agent.name)}>
          {step.summary ? 'Closing answer' : `Step ${step.number}`}{' '}
          <span className={styles.of}>
            of {state.steps.length}
            {parent !== undefined && `, ${lineOf(state.start.agent.name)}`}
          </span>
          {step.copied !== undefined && (
            <span className={styles.of}>{step.copied === 'whole' ? ', copied' : ', copied in part'}</span>
          )}
        </h2>
        <Segmented
          label="View"
          size="s"
          value={isRaw ? 'raw' : 'rendered'}
          options={ways}
          onChange={setWay}
        />
        <IconButton
          icon="chevron-up"
          label="Previous step"
          title="Previous step (K)"
          size="s"
          disabled={at === 0}
          onClick={() => go(-1)}
        />
        <IconButton
          icon="chevron-down"
          label="Next step"
          title="Next step (J)"
          size="s"
          disabled={at === state.steps.length - 1}
          onClick={() => go(1)}
        />
      </header>
      {hasAsks && (
        <div className={styles.asks}>
          <WaitingCards frame={styles.ask} />
        </div>
      )}
      {forkInside === null ? body : <ForkProvider fork={forkInside}>{body}</ForkProvider>}
    </aside>
  )
}

/** Forks from steps of the run inside these calls; null for those of the run itself, and where no fork is offered. */
function useForkInside(parent: string | undefined): ReturnType<typeof useFork> {
  const fork = useFork()
  return useMemo(
    () => (fork === null || parent === undefined ? null : (aim) => fork({ ...aim, parent })),
    [fork, parent],
  )
}

function keyOf({ number }: StepState, parent = ''): string {
  return `${parent} ${number}`
}

const ways = [
  { value: 'rendered', label: 'Rendered' },
  { value: 'raw', label: 'Raw' },
] as const

function emptyWords(state: RunState | null): string {
  if (state?.status === 'queued') return 'Queued, starts when a slot is free.'
  return state?.finishedAt === undefined ? 'No step has begun yet.' : 'It ended before its first step.'
}

interface StepCommands {
  readonly state: RunState | null
  readonly step: StepState | undefined
  readonly parent: string | undefined
  readonly isRaw: boolean
  onChoose(choice: Choice): void
  onWay(way: string): void
}

function useStepCommands(now: StepCommands): void {
  const latest = useLatest(now)
  const commands = useMemo(() => {
    const next = (by: number) => {
      const { state, step } = latest.current
      return step === undefined ? undefined : state?.steps[state.steps.indexOf(step) + by]
    }
    const go = (by: number) => {
      const step = next(by)
      if (step !== undefined) latest.current.onChoose(choiceOfStep(step, latest.current.parent))
    }
    return [
      {
        id: 'step.next',
        label: 'Show the next step',
        group: 'Run',
        icon: 'chevron-down',
        keys: ['J'],
        canRun: () => next(1) !== undefined,
        run: () => go(1),
      },
      {
        id: 'step.previous',
        label: 'Show the previous step',
        group: 'Run',
        icon: 'chevron-up',
        keys: ['K'],
        canRun: () => next(-1) !== undefined,
        run: () => go(-1),
      },
      {
        id: 'step.raw',
        label: 'Show the step raw, or rendered',
        group: 'View',
        icon: 'braces',
        keys: ['R'],
        run: () => latest.current.onWay(latest.current.isRaw ? 'rendered' : 'raw'),
      },
    ]
  }, [])
  useCommands(commands)
}

interface BodyProps {
  readonly runId: string
  readonly state: RunState
  readonly step: StepState
  /** The ids of the calls around the run, if it is inside a call. */
  readonly parent: string | undefined
  /** The row selected in the trace: if it is a call of this step, the call is scrolled into view. */
  readonly row: string | undefined
  readonly isRaw: boolean
  /** Whether to load its request: not while it is shown only briefly. */
  readonly isWanted: boolean
}

function Body({ runId, state, step, parent, row: whole, isRaw, isWanted }: BodyProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const row = parent === undefined ? whole : whole?.slice(parent.length + 1)
  const isOf = (id: string) => row === id || row?.startsWith(`${id}-`) || row?.startsWith(`${id}/`)
  const chosen = step.calls.find(({ id }) => isOf(id))?.id
  useEffect(() => {
    const body = scroller.current
    if (chosen === undefined) body?.scrollTo({ top: 0 })
    else body?.querySelector(`[data-call="${CSS.escape(chosen)}"]`)?.scrollIntoView({ block: 'start' })
  }, [chosen])
  const before = state.steps[state.steps.indexOf(step) - 1]
  const sent = useStepRequest(runId, { step: step.number, parent }, isWanted)
  const sentBefore = useStepRequest(
    runId,
    { step: before?.number ?? 0, parent },
    isWanted && before?.request !== undefined,
  )
  return (
    <div ref={scroller} className={styles.body} tabIndex={0} role="region" aria-label="Step detail">
      {step.fault !== undefined && <StepFault fault={step.fault} />}
      <StepFigures step={step} />
      <StepRetries step={step} />
      {step.request !== undefined && (
        <StepContext
          context={sent.data?.context}
          before={before === undefined ? null : (sentBefore.data?.context ?? null)}
          error={sent.error}
        />
      )}
      <StepCuts state={state} step={step} />
      <StepTools state={state} step={step} />
      <StepThought step={step} isRaw={isRaw} />
      {step.calls.map((call) => (
        <StepCall key={call.id} step={step} call={call} isRaw={isRaw} isChosen={call.id === chosen} />
      ))}
      {step.request !== undefined && <StepRequest asked={sent} request={step.request} />}
    </div>
  )
}

/** Changes with each event of an unfinished step; constant once the step is finished. */
function versionOf(state: RunState, choice: Choice | null): string {
  const step = stepOf(state, choice)
  const moving = step?.finishedAt === undefined ? state.seq : 'over'
  return `${choice?.parent} ${step?.number ?? 0} ${runOf(state, choice).steps.length} ${moving}`
}
