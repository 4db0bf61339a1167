/** What the stages of one run share: its state, values computed from its deps, and `emit`. */
import type { EventBody, ResumeReason, RunEvent } from '#lib/spec/event'
import type { InputReply } from '#lib/spec/input'
import type { JsonObject } from '#lib/spec/json'
import type { Limits, ToolLimits } from '#lib/spec/policy'
import type { RunState, StepState } from '#lib/spec/state'
import type { BoundTool } from '#lib/spec/toolkit'
import { createMocks, type Mocks } from './call/mocks'
import { nameOfCall, namesOf } from './call/names'
import { createOriginals } from './call/originals'
import { createRecall, type Recall } from './call/recall'
import type { BackgroundCalls, RunningCalls } from './call/running'
import type { RunDeps } from './deps'
import { policiesOf } from './enclosing'
import { limitsOf, toolLimitsOf } from './limits'
import { stopWhenOver } from './overrun'
import { withPersona } from './personas'
import type { Withheld } from './request/offer'
import { createOffering, type Offering, type ToolSet } from './request/offering'
import { createRequestWriter, type RequestWriter } from './request/request'
import { fold } from './state/fold'
import { callAt, joinPath } from './state/inner-path'
import { createPast, type PastReader } from './state/past'
import { steadyClock } from './steady-clock'

export interface Engine {
  readonly state: RunState
  /** As given, but with a clock that never jumps. */
  readonly deps: RunDeps
  /** Milliseconds since 1970 by the machine's present clock, for tools that report the time. */
  timeOfDay(): number
  /** Aborts when the run is stopped, from outside or by its time budget. */
  readonly signal: AbortSignal
  readonly limits: Limits
  readonly offering: Offering
  /** Numbers, dates and folds an event. An emitted event has happened. */
  emit(body: EventBody): RunEvent
  /** The same for an event of a run inside a call. */
  emitInner(callId: string, event: RunEvent): RunEvent
  /** The offered tool with this name or alias. */
  tool(name: string): BoundTool | undefined
  /** The tool's own name for the name that a call was made by; its arguments may decide. */
  nameOf(said: string, args?: JsonObject): string
  /** The withheld tool with this name, or whose wire name it may be. */
  withheld(name: string): { readonly tool: BoundTool; readonly because: Withheld } | undefined
  toolLimits(tool: BoundTool): ToolLimits
  /** What a policy may know about the run before a call that has these keys. */
  readonly past: PastReader
  /** Results that equal calls can reuse; undefined when no tool is cached. */
  readonly recall: Recall | undefined
  /** What answers the calls of mocked tools; undefined in a run without mocks. */
  readonly mocks: Mocks | undefined
  /** The ledger of the step whose calls are at work. */
  ledger: RunningCalls | undefined
  /** The calls in the background; undefined while the run has had none. */
  background: BackgroundCalls | undefined
  /** What gives a reply to the body that waits for it, by call and question. */
  readonly asking: Map<string, (reply: InputReply) => void>
  /** Why the run goes on, where it had begun. */
  readonly resumed: ResumeReason | 'decided'
  /** Calls whose runs inside have only waited for people, and are to go on. */
  readonly rested: Set<string>
  /** Opened only after the run has begun, since its date goes into the instructions. */
  wire(): RequestWriter
  /** Waits until every event so far is stored; throws NotStored when that fails. */
  committed(): Promise<void>
  /**
   * Whether the disk has it that the run began, or was resumed. Without that, a body that brings the server
   * down would do so after each restart.
   */
  readonly isRecorded: boolean
  /** Milliseconds since the step began, as far as this process knows. */
  sinceStep(step: StepState): number
  /** Watches the time budget of a resumed run. To be called after the time without work is on record. */
  watchTime(): void
  /** Ends the run's timers, and every call at work. */
  close(): void
}

/** Events cannot be stored. The run must stop, since it could not be resumed. */
export class NotStored extends Error {}

export function createEngine(
  state: RunState,
  given: RunDeps,
  signal: AbortSignal,
  resumed: ResumeReason | 'decided' = 'crash',
): Engine {
  const { originals = createOriginals() } = given
  const policies = policiesOf(given)
  const deps = { ...given, policies, originals, clock: steadyClock(given.clock, state.lastAt) }
  const offering = createOffering(state, deps)
  let names: { of: ToolSet; byName: Map<string, BoundTool> } | undefined
  const offered = () => {
    const { set } = offering
    if (names?.of !== set) names = { of: set, byName: namesOf(set.offered) }
    return names.byName
  }
  const limits = new Map<BoundTool, ToolLimits>()
  const emit = emitter(state, deps)
  const runLimits = { ...limitsOf(deps.policies), ...(deps.output && { output: deps.output }) }
  const time = timeOf(state, deps, runLimits)
  const recall = createRecall(state, () => offering.known, deps.toolsNow !== undefined)
  const tool = (name: string) => offered().get(name)
  let wire: RequestWriter | undefined
  let begun: { step: number; at: number } | undefined
  let isRecorded = false
  return {
    state,
    deps,
    timeOfDay: () => given.clock.now(),
    signal: time === undefined ? signal : AbortSignal.any([signal, time.up]),
    limits: runLimits,
    offering,
    emit(body) {
      if (body.type === 'step.started') begun = { step: state.steps.length + 1, at: deps.clock.monotonic() }
      const event = emit(withPersona(body, { state, personas: runLimits.personas, tool }))
      recall?.note(body)
      if (body.type === 'run.started') time?.begin()
      return event
    },
    emitInner: (callId, event) => emitInner(state, deps, { callId, event }),
    tool,
    nameOf: (said, args) => nameOfCall(offered(), said, args),
    withheld: (name) => findWithheld(name, offering.set, offering.known),
    toolLimits(tool) {
      const known = limits.get(tool) ?? toolLimitsOf(deps.policies, tool)
      limits.set(tool, known)
      return known
    },
    past: createPast(state, () => offering.known, deps),
    recall,
    mocks: deps.mocks && createMocks(state, deps.mocks, deps.clock),
    ledger: undefined,
    background: undefined,
    asking: new Map(),
    resumed,
    rested: new Set(),
    wire() {
      wire ??= createRequestWriter(state, deps)
      return wire
    },
    get isRecorded() {
      return isRecorded
    },
    async committed() {
      try {
        await deps.committed()
        isRecorded = true
      } catch (cause) {
        throw new NotStored('events could not be stored', { cause })
      }
    },
    sinceStep(step) {
      if (begun?.step === step.number) return since(deps, begun.at)
      // In a fork, a step copied from the parent begins when the fork begins.
      return Math.max(0, Math.round(deps.clock.now()) - Math.max(step.startedAt, state.startedAt ?? 0))
    },
    watchTime() {
      if (state.startedAt !== undefined) time?.begin()
    },
    close() {
      this.ledger?.close()
      this.background?.close()
      time?.end()
    },
  }
}

/** The run's time budget, counted from the run's start; undefined when it has none. */
function timeOf(state: RunState, { clock }: RunDeps, { budget: { seconds } }: Limits) {
  if (seconds === Number.POSITIVE_INFINITY) return undefined
  const stop = new AbortController()
  const ended = new AbortController()
  const begin = () => stopWhenOver(state, { clock, seconds, ended: ended.signal }, stop)
  return { up: stop.signal, begin, end: () => ended.abort('ended') }
}

/** Whole milliseconds since a monotonic moment. */
export function since({ clock }: Pick<RunDeps, 'clock'>, at: number): number {
  return Math.max(0, Math.round(clock.monotonic() - at))
}

export function emitter(state: RunState, { clock }: Pick<RunDeps, 'clock'>): (body: EventBody) => RunEvent {
  return (body) => {
    // The clock may have been set back since the last event, but the times of events never go back.
    const at = Math.max(state.lastAt, Math.round(clock.now()))
    const { steps } = body.parent === undefined ? state : (callAt(state, body.parent)?.inner ?? state)
    const step = steps.length + (body.type === 'step.started' ? 1 : 0)
    const { type, ...payload } = body
    const event = { type, seq: state.seq + 1, at, step, ...payload } as RunEvent // cast: a body with its three numbers is its event
    fold(state, event)
    return event
  }
}

function emitInner(
  state: RunState,
  { clock }: Pick<RunDeps, 'clock'>,
  { callId, event: inner }: { callId: string; event: RunEvent },
): RunEvent {
  const at = Math.max(state.lastAt, Math.round(clock.now()))
  const event = { ...inner, seq: state.seq + 1, at, parent: joinPath(callId, inner.parent) }
  fold(state, event)
  return event
}

/** The withheld tool with this name, or whose wire name it may be. */
export function findWithheld(
  name: string,
  { withheld }: ToolSet,
  tools: readonly BoundTool[],
): ReturnType<Engine['withheld']> {
  const because =
    withheld.find((each) => each.name === name) ??
    withheld.find((each) => wireForm(each.name) === wireForm(name))
  const tool = because && tools.find((each) => each.name === because.name)
  return because === undefined || tool === undefined ? undefined : { tool, because }
}

export function wireForm(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_')
}
