/** The one fold: the loop, resume, replay, command line and trace build a run's state from events with it. */
import type { EventOf, RunEvent } from '#lib/spec/event'
import { callsOf } from '#lib/spec/message'
import type { RunState, StepState } from '#lib/spec/state'
import { approvalDecided, approvalRequested, policyRuled } from './approval-fold'
import { noteEnded, runningInBackground } from './background'
import {
  artifactCreated,
  callContinued,
  callDelta,
  callFinished,
  callProgressed,
  callSealed,
  callStarted,
  forgetStream,
  makeDue,
  newCall,
} from './call-fold'
import { contextCompacted } from './compaction'
import { completionFinished } from './completion-fold'
import { isCopied } from './fork-copied'
import { hookCalled } from './hook-record'
import { callRested, foldInner } from './inner-fold'
import { inputGiven, inputRequested } from './input-fold'
import { overlapMs } from './overlap'
import { planBegun, planOfStep, planUpdated } from './plan-fold'
import { recalled } from './recall-fold'
import { spend, spendInRun } from './spend'
import { addToDialogue, answerText } from './step-messages'
import { toolsChanged, withFound } from './tools-fold'

// The browser imports nothing else from this room, so it gets these from here as well.
export { start } from './start'
export { answerText, isEmpty, streamingText } from './step-messages'

/** Applies one event to the state, in place, and returns it. An event seen before changes nothing. */
export function fold(state: RunState, event: RunEvent): RunState {
  if (event.seq <= state.seq) return state
  state.seq = event.seq
  // Events that a fork copied are older than the fork's own beginning.
  state.lastAt = Math.max(state.lastAt, event.at)
  if (event.parent !== undefined) return foldInner(state, event, fold)
  switch (event.type) {
    case 'run.queued':
      state.status = 'queued'
      state.queuedAt = event.at
      if (event.groups !== undefined) state.groups = event.groups
      if (event.plan !== undefined) planBegun(state, event.plan)
      if (event.mocks !== undefined) state.mocks = event.mocks
      return state
    case 'run.started':
      return runStarted(state, event)
    case 'run.resumed':
      return runResumed(state, event)
    case 'run.steered':
      state.steered = [...(state.steered ?? []), { text: event.text, at: event.at }]
      return state
    case 'run.summarizing':
      state.summarizing = event.reason
      return state
    case 'run.finished':
      return runFinished(state, event)
    case 'policy.ruled':
      return policyRuled(state, event)
    case 'artifact.created':
      return artifactCreated(state, event)
    case 'personas.assigned':
      state.personas = event.names
      spendInRun(state, event)
      return state
    case 'completion.finished':
      return completionFinished(state, event)
    case 'hook.called':
      return hookCalled(state, event)
    case 'plan.updated':
      return planUpdated(state, event)
    case 'memory.retrieved':
    case 'knowledge.retrieved':
    case 'memory.recorded':
      return recalled(state, event)
    case 'tools.found':
      state.found = withFound(state.found, event.names)
      return state
    case 'groups.changed':
      state.groups = event.active
      return state
    case 'tools.changed':
      return toolsChanged(state, event)
    case 'approval.requested':
      return approvalRequested(state, event)
    case 'approval.decided':
      return approvalDecided(state, event)
    case 'input.requested':
      return inputRequested(state, event)
    case 'input.given':
      return inputGiven(state, event)
    case 'call.continued':
      return callContinued(state, event)
    case 'call.rested':
      return callRested(state, event)
    case 'step.started':
      state.steps.push(newStep(state, event))
      if (state.toolChanges.length > 0) state.toolChanges = []
      return state
    case 'call.started':
      return callStarted(state, event)
    case 'call.progressed':
      return callProgressed(state, event)
    default: {
      // Events of a step: `foldStep` takes nothing else, and handles each.
      const step = state.steps.at(-1)
      return step === undefined ? state : foldStep(state, step, event)
    }
  }
}

type StepEvent = EventOf<
  | 'model.requested'
  | 'model.retried'
  | 'context.truncated'
  | 'context.compacted'
  | 'reasoning.delta'
  | 'text.delta'
  | 'call.delta'
  | 'call.sealed'
  | 'protocol.warned'
  | 'model.answered'
  | 'call.finished'
  | 'step.finished'
>

function foldStep(state: RunState, step: StepState, event: StepEvent): RunState {
  switch (event.type) {
    case 'context.truncated':
      step.truncated = event.messages
      return state
    case 'context.compacted':
      return contextCompacted(state, step, event)
    case 'model.requested':
      return modelRequested(state, step, event)
    case 'model.retried': {
      const { attempt, code, reason, waitMs, at } = event
      forgetStream(state, step)
      step.retries.push({ attempt, code, reason, waitMs, at })
      spend(state, step, event)
      return state
    }
    case 'text.delta':
      step.live.text += event.text
      step.live.firstAt ??= event.at
      return state
    case 'reasoning.delta':
      step.live.reasoning += event.text
      step.live.firstAt ??= event.at
      return state
    case 'call.delta':
      return callDelta(state, step, event)
    case 'call.sealed':
      return callSealed(state, step, event)
    case 'protocol.warned':
      step.warnings = event.warnings
      return state
    case 'model.answered':
      return modelAnswered(state, step, event)
    case 'call.finished':
      return callFinished(state, step, event)
    case 'step.finished':
      step.finishedAt = event.at
      step.durationMs = event.durationMs
      if (isCopied(state)) step.copied = 'whole'
      // A call in the background may be what brings the server down, whatever the steps do meanwhile.
      if (runningInBackground(state).length === 0) state.crashes = 0
      return state
  }
  return event satisfies never
}

function runStarted(state: RunState, event: EventOf<'run.started'>): RunState {
  state.status = 'running'
  state.startedAt = event.at
  state.model = event.model
  state.protocol = event.protocol
  state.tools = event.tools
  if (event.serverTexts !== undefined) state.serverTexts = event.serverTexts
  if (event.skills !== undefined) state.skills = event.skills
  if (event.forkedFrom !== undefined) state.forkedFrom = event.forkedFrom
  return state
}

function runResumed(state: RunState, event: EventOf<'run.resumed'>): RunState {
  state.resumes += 1
  if (event.awayMs !== undefined && state.waitingSince === null) state.waitedMs += event.awayMs
  if (event.reason === 'crash') state.crashes += 1
  // If such a body runs again, that is its next attempt.
  for (const call of new Set([...(state.steps.at(-1)?.calls ?? []), ...runningInBackground(state)])) {
    delete call.wait
    if (call.status === 'running') call.attempts += 1
  }
  return state
}

function runFinished(state: RunState, event: EventOf<'run.finished'>): RunState {
  state.status = event.status
  state.finishedAt = event.finishedAt
  state.answer = event.answer
  if (event.output !== undefined) state.output = event.output
  if (event.interrupted !== undefined) state.interrupted = event.interrupted
  state.costUsd = event.costUsd
  state.error = event.error
  const step = state.steps.at(-1)
  if (step !== undefined) forgetStream(state, step)
  return state
}

function newStep(state: RunState, event: EventOf<'step.started'>): StepState {
  const { said, continues } = event
  // A continued answer follows its beginning directly.
  const noted = continues ? [] : noteEnded(state)
  if (said !== undefined) state.messages.push({ role: 'user', text: said })
  // Nothing may come between an answer that was cut off and the request to continue it.
  const steered = continues ? undefined : takeSteered(state, event.step)
  const last = state.steps.at(-1)
  return {
    ...(said !== undefined && { said }),
    ...(noted.length > 0 && { noted }),
    ...(steered && { steered }),
    ...(continues && last !== undefined && { before: answerText(last) }),
    ...planOfStep(state),
    number: event.step,
    maxSteps: event.maxSteps,
    startedAt: event.at,
    ...(isCopied(state) && { copied: 'begun' }),
    summary: state.summarizing !== null,
    tools: state.tools,
    ...(state.toolChanges.length > 0 && { toolChanges: state.toolChanges }),
    messagesBefore: state.messages.length,
    nudged: false,
    retries: [],
    live: { text: '', reasoning: '', firstAt: null },
    sealed: [],
    usage: { input: 0, output: 0 },
    costUsd: null,
    calls: [],
    open: 0,
    toolCounts: new Map(),
  }
}

/** Adds what a person said since the last step to the dialogue: after all results, so calls stay paired. */
function takeSteered(state: RunState, step: number): RunState['steered'] {
  const { steered } = state
  if (steered === undefined) return undefined
  state.heard ??= []
  for (const { text } of steered) {
    state.messages.push({ role: 'user', text })
    state.heard.push({ step, text })
  }
  delete state.steered
  return steered
}

function modelRequested(state: RunState, step: StepState, event: EventOf<'model.requested'>): RunState {
  forgetStream(state, step)
  step.warnings = undefined
  // An answer that already exists was empty. This request asks for it once more.
  if (step.parts !== undefined) {
    step.nudged = true
    step.parts = undefined
    step.finishReason = undefined
    step.answeredAt = undefined
  }
  const { attempt, at, counts, tools, bytes, hash, cacheKey } = event
  step.request = { attempt, at, counts, tools, bytes, hash, ...(cacheKey !== undefined && { cacheKey }) }
  return state
}

function modelAnswered(state: RunState, step: StepState, event: EventOf<'model.answered'>): RunState {
  forgetStream(state, step)
  step.parts = event.parts
  step.finishReason = event.finishReason
  step.fault = event.fault
  step.answeredAt = event.at
  step.modelMs = event.durationMs
  step.firstTokenMs = event.firstTokenMs
  if (step.sealed.length > 0) step.savedMs = overlapMs(step.calls, event.at)
  step.sealed = []
  if (event.edited === 'all') step.edited = true
  spend(state, step, event)
  if (!event.usage.estimated && event.usage.input > 0) step.countedTokens = event.usage.input
  step.calls = callsOf(event.parts).map((part) => {
    const sealed = state.calls.get(part.id)
    if (sealed !== undefined) return sealed
    step.open += 1
    return makeDue(state, newCall(state, part.id, part.name), part)
  })
  if (Array.isArray(event.edited))
    for (const call of step.calls) if (event.edited.includes(call.id)) call.edited = 'args'
  addToDialogue(state, step)
  return state
}
