/** The one fold: the loop, resume, replay, command line and trace build a run's state from events with it. */
import type { CallStatus, EventOf, RunEvent } from '#lib/spec/event'
import { type CallPart, callsOf, type Message, textOf } from '#lib/spec/message'
import type { CallState, RunState, StepState } from '#lib/spec/state'
import { approvalDecided, approvalRequested, foldDecision, policyRuled } from './approval-fold'
import { contextCompacted } from './compaction'
import { isCopied } from './fork-copied'
import { hookCalled } from './hook-record'
import { foldInner } from './inner-fold'
import { overlapMs } from './overlap'
import { callKey } from './past'
import { spend } from './spend'
import { toolsChanged } from './tools-fold'

// The browser imports nothing else from this room, so it gets the initial state from here as well.
export { start } from './start'

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
      return state
    case 'run.started':
      return runStarted(state, event)
    case 'run.resumed':
      return runResumed(state, event)
    case 'run.summarizing':
      state.summarizing = event.reason
      return state
    case 'run.finished':
      return runFinished(state, event)
    case 'policy.ruled':
      return policyRuled(state, event)
    case 'artifact.created':
      state.artifacts.push(event.artifact)
      state.calls.get(event.callId)?.created.push(event.artifact)
      return state
    case 'hook.called':
      return hookCalled(state, event)
    case 'plan.updated':
      state.plan = event.plan
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
      state.crashes = 0
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
  if (event.forkedFrom !== undefined) state.forkedFrom = event.forkedFrom
  return state
}

function runResumed(state: RunState, event: EventOf<'run.resumed'>): RunState {
  state.resumes += 1
  if (event.awayMs !== undefined && state.waitingSince === null) state.waitedMs += event.awayMs
  if (event.reason === 'crash') state.crashes += 1
  // If such a body runs again, that is its next attempt.
  for (const call of state.steps.at(-1)?.calls ?? []) {
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
  state.costUsd = event.costUsd
  state.error = event.error
  const step = state.steps.at(-1)
  if (step !== undefined) forgetStream(state, step)
  return state
}

function newStep(state: RunState, event: EventOf<'step.started'>): StepState {
  const { said, continues } = event
  if (said !== undefined) state.messages.push({ role: 'user', text: said })
  const last = state.steps.at(-1)
  return {
    ...(said !== undefined && { said }),
    ...(continues && last !== undefined && { before: answerText(last) }),
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
    waiting: 0,
    toolCounts: new Map(),
  }
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

/** Streamed text and calls count only until the answer, a new attempt or the end of the run. */
function forgetStream(state: RunState, step: StepState): void {
  step.live = { text: '', reasoning: '', firstAt: null }
  for (const call of step.calls) if (call.status === 'streaming') state.calls.delete(call.id)
  step.calls = step.calls.filter((call) => call.status !== 'streaming')
}

function callDelta(state: RunState, step: StepState, event: EventOf<'call.delta'>): RunState {
  step.live.firstAt ??= event.at
  let call = state.calls.get(event.callId)
  if (call === undefined) {
    call = newCall(state, event.callId, event.name)
    state.calls.set(call.id, call)
    step.calls.push(call)
  }
  if (call.status === 'streaming') call.argsText += event.argsText
  return state
}

function callSealed(state: RunState, step: StepState, event: EventOf<'call.sealed'>): RunState {
  step.sealed.push(...event.parts)
  for (const part of callsOf(event.parts)) {
    let call = state.calls.get(part.id)
    if (call === undefined) {
      call = newCall(state, part.id, part.name)
      step.calls.push(call)
    }
    step.open += 1
    makeDue(state, call, part)
  }
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

function makeDue(state: RunState, call: CallState, part: CallPart): CallState {
  call.status = 'due'
  call.argsText = ''
  call.rawArgs = part.rawArgs
  if (part.args !== undefined) call.args = part.args
  if (part.invalid !== undefined) call.invalid = part.invalid
  state.calls.set(call.id, call)
  return call
}

function newCall(state: RunState, id: string, name: string): CallState {
  const { offered = [], withheld = [] } = state.tools ?? {}
  const tool = offered.find((each) => each.name === name)
  const node = tool?.node ?? withheld.find((each) => each.name === name)?.entry
  return {
    ...(tool?.ends && { ends: true }),
    id,
    name,
    argsText: '',
    rawArgs: '',
    status: 'streaming',
    node: node ?? null,
    durationMs: 0,
    attempts: 0,
    code: null,
    progress: { text: '', blocks: null },
    created: [],
    rulings: [],
  }
}

function callStarted(state: RunState, event: EventOf<'call.started'>): RunState {
  if (!isCopied(state)) count(state.toolCounts, event.name)
  const step = state.steps.at(-1)
  if (step !== undefined) count(step.toolCounts, event.name)
  const call = state.calls.get(event.callId)
  if (call === undefined) return state
  call.status = 'running'
  call.name = event.name
  call.args = event.args
  call.source = event.source
  if (event.scopeName !== undefined) call.scopeName = event.scopeName
  call.node = event.node
  call.startedAt = event.at
  call.attempts = 1
  delete call.wait
  return state
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function callProgressed(state: RunState, event: EventOf<'call.progressed'>): RunState {
  const call = state.calls.get(event.callId)
  if (event.wait !== undefined && call !== undefined && call.result === undefined) {
    if (event.wait === null) delete call.wait
    else call.wait = event.wait
  }
  if (call?.status !== 'running') return state
  if (event.blocks !== undefined) call.progress = { text: '', blocks: event.blocks }
  if (event.text !== undefined) call.progress.text += event.text
  return state
}

function callFinished(state: RunState, step: StepState, event: EventOf<'call.finished'>): RunState {
  const call = state.calls.get(event.callId)
  if (call === undefined || call.result !== undefined) return state
  const wasWaiting = call.status === 'waiting'
  call.status = event.status
  if (wasWaiting) foldDecision(state, step, event.at)
  call.node = event.node
  call.code = event.code
  call.result = event.result
  call.finishedAt = event.at
  call.endSeq = event.seq
  call.durationMs = event.durationMs
  if (event.waitedMs !== undefined) call.waitedMs = event.waitedMs
  delete call.wait
  call.attempts = event.attempts
  if (event.artifact !== undefined) call.artifact = event.artifact
  if (event.metadata !== undefined) call.metadata = event.metadata
  if (event.cached) call.cached = true
  if (event.final !== undefined) {
    step.final = event.final
    step.finalOf = event.callId
  }
  const other = event.replaces === undefined ? undefined : state.calls.get(event.replaces)
  if (other !== undefined) other.replacedBy = event.callId
  if (event.edited) call.edited = 'result'
  if (isCopied(state)) call.copied = true
  if (failedBadly.has(event.status)) count(state.failures, callKey(call))
  call.progress = { text: '', blocks: null }
  step.open -= 1
  addToDialogue(state, step)
  return state
}

/** Endings after which the same call would probably end the same way. */
const failedBadly: ReadonlySet<CallStatus> = new Set(['error', 'denied', 'timeout'])

/** Adds an answer to the dialogue together with its calls' results, so no message is ever unpaired. */
function addToDialogue(state: RunState, step: StepState): void {
  const { parts } = step
  if (parts === undefined || step.open > 0 || step.fault !== undefined || isEmpty(step)) return
  state.messages.push({ role: 'assistant', parts })
  for (const call of step.calls) state.messages.push(resultOf(call))
  // A later reader of the dialogue finds the answer in an assistant message.
  if (step.final !== undefined)
    state.messages.push({ role: 'assistant', parts: [{ type: 'text', text: step.final.answer }] })
}

function resultOf({ id, name, status, result }: CallState): Message {
  return { role: 'tool', callId: id, name, text: result?.text ?? '', isError: status !== 'ok' }
}

/** The text of an answer so far, including the text that it continues. */
export function answerText({ before = '', parts = [] }: StepState): string {
  return before + textOf(parts)
}

/** The text of an answer as it streams, after the text that it continues. Text next to calls is no answer. */
export function streamingText({ before = '', live, parts = [], calls }: StepState): string {
  return before + (live.text || (calls.length > 0 ? '' : textOf(parts)))
}

/** No text for a reader and no call. Reasoning alone is no answer. */
export function isEmpty(step: StepState): boolean {
  return step.calls.length === 0 && textOf(step.parts ?? []).trim() === ''
}
