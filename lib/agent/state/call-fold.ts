/** How the events of a call change the state. */
import type { CallStatus, EventOf } from '#lib/spec/event'
import { type CallPart, callsOf } from '#lib/spec/message'
import type { CallState, RunState, StepState } from '#lib/spec/state'
import { isCopied } from './fork-copied'
import { endInside } from './inner-fold'
import { callKey } from './past'
import { addToDialogue } from './step-messages'
import { endWait, isWaiting } from './waiting'

export function artifactCreated(
  state: RunState,
  { callId, artifact }: EventOf<'artifact.created'>,
): RunState {
  state.artifacts.push(artifact)
  const call = state.calls.get(callId)
  call?.created.push(artifact)
  if (call?.draft !== undefined) state.document = { artifact, callId }
  return state
}

/** Streamed text and calls count only until the answer, a new attempt or the end of the run. */
export function forgetStream(state: RunState, step: StepState): void {
  step.live = { text: '', reasoning: '', firstAt: null }
  for (const call of step.calls) if (call.status === 'streaming') state.calls.delete(call.id)
  step.calls = step.calls.filter((call) => call.status !== 'streaming')
}

export function callDelta(state: RunState, step: StepState, event: EventOf<'call.delta'>): RunState {
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

export function callSealed(state: RunState, step: StepState, event: EventOf<'call.sealed'>): RunState {
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

export function makeDue(state: RunState, call: CallState, part: CallPart): CallState {
  call.status = 'due'
  call.argsText = ''
  call.rawArgs = part.rawArgs
  if (part.args !== undefined) call.args = part.args
  if (part.invalid !== undefined) call.invalid = part.invalid
  if (part.redacted) call.redacted = true
  state.calls.set(call.id, call)
  return call
}

export function newCall(state: RunState, id: string, name: string): CallState {
  const { offered = [], withheld = [] } = state.tools ?? {}
  const tool = offered.find((each) => each.name === name)
  const node = tool?.node ?? withheld.find((each) => each.name === name)?.entry
  return {
    ...(tool?.ends && { ends: true }),
    ...(tool?.draft !== undefined && { draft: [tool.draft, ...(tool.draftAliases ?? [])] }),
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

export function callStarted(state: RunState, event: EventOf<'call.started'>): RunState {
  const copied = isCopied(state)
  if (!copied) count(state.toolCounts, event.name)
  const step = state.steps.at(-1)
  if (step !== undefined) count(step.toolCounts, event.name)
  const call = state.calls.get(event.callId)
  if (call === undefined) return state
  call.status = 'running'
  call.name = event.name
  call.args = event.args
  call.source = event.source
  if (event.scopeName !== undefined) call.scopeName = event.scopeName
  if (event.persona !== undefined) call.persona = event.persona
  call.node = event.node
  call.startedAt = event.at
  if (copied) call.begunBefore = true
  call.attempts = 1
  if (event.mock !== undefined) call.mock = event.mock
  delete call.wait
  if (event.background !== undefined && step !== undefined) detach(state, step, call, event.background)
  return state
}

/** The body runs again after it ended with questions. It counts as one call. */
export function callContinued(state: RunState, event: EventOf<'call.continued'>): RunState {
  const call = state.calls.get(event.callId)
  if (call === undefined || call.status !== 'due') return state
  call.status = 'running'
  call.continued = event.round
  delete call.wait
  return state
}

/** The step goes on without the call. The model reads this text as its result. */
function detach(state: RunState, step: StepState, call: CallState, text: string): void {
  call.background = text
  state.background ??= []
  state.background.push(call)
  step.open -= 1
  addToDialogue(state, step)
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

export function callProgressed(state: RunState, event: EventOf<'call.progressed'>): RunState {
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

export function callFinished(state: RunState, step: StepState, event: EventOf<'call.finished'>): RunState {
  const call = state.calls.get(event.callId)
  if (call === undefined || call.result !== undefined) return state
  if (isWaiting(call)) endWait(state, event.at)
  endInside(call, event.at)
  call.status = event.status
  call.node = event.node
  call.code = event.code
  call.result = event.result
  call.finishedAt = event.at
  call.endSeq = event.seq
  call.durationMs = event.durationMs
  if (event.waitedMs !== undefined) call.waitedMs = event.waitedMs
  delete call.wait
  call.attempts = event.attempts
  if (event.persona !== undefined) call.persona = event.persona
  if (event.artifact !== undefined) call.artifact = event.artifact
  if (event.metadata !== undefined) call.metadata = event.metadata
  if (event.note !== undefined) call.note = event.note
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
  // A call in the background has left its step already.
  if (call.background !== undefined) return state
  step.open -= 1
  addToDialogue(state, step)
  return state
}

/** Endings after which the same call would probably end the same way. */
const failedBadly: ReadonlySet<CallStatus> = new Set(['error', 'denied', 'timeout'])
