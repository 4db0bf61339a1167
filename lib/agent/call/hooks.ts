/** Asks hooks, each at its moment and in order, and records their answers before they take effect. */
import { z } from 'zod'
import { type EventBody, type RunEvent, withheldCode } from '#lib/spec/event'
import type { Hook, HookMoment } from '#lib/spec/hook'
import { type JsonObject, jsonObject, tryParseJson } from '#lib/spec/json'
import type { BoundPolicy } from '#lib/spec/policy'
import type { CallState, HookCalled } from '#lib/spec/state'
import type { BoundTool } from '#lib/spec/toolkit'
import { stopOf } from '../deps'
import { type Engine, since } from '../engine'
import { covers } from '../limits'
import type { Due } from '../next'
import { cut, type Observation } from '../observation/observe'
import { redactText } from '../observation/redact'
import {
  hookedAnswer,
  hookedInstructions,
  hookedLastMessage,
  hookedQuestion,
  hooksBeforeCall,
} from '../state/hook-record'
import type { Finished } from './finished'
import { replaceArgs } from './originals'
import { unprinted } from './printed'
import { judge } from './refuse'

export interface HookOutcome extends BoundPolicy {
  readonly hook: Hook
}

type Called = Extract<EventBody, { type: 'hook.called' }>

/** The hooks of a moment, in their order. */
function hooksOn({ deps }: Engine, on: HookMoment): HookOutcome[] {
  return deps.policies.filter((each): each is HookOutcome => each.hook?.on === on)
}

/** The first hook without an answer on record. */
function outstanding(
  engine: Engine,
  on: HookMoment,
  said: readonly HookCalled[] = [],
): HookOutcome | undefined {
  return hooksOn(engine, on).find(({ node }) => !said.some((each) => each.on === on && each.node === node))
}

/** The same for the hooks before a call, which must also cover its tool. */
function outstandingFor(engine: Engine, call: CallState): HookOutcome | undefined {
  const isNew = call.status === 'due' && call.startedAt === undefined
  const tool = isNew ? engine.tool(call.name) : undefined
  if (tool === undefined) return undefined
  const said = new Set(hooksBeforeCall(call).map(({ node }) => node))
  return hooksOn(engine, 'pre_acting').find((each) => !said.has(each.node) && covers(each, tool))
}

/**
 * Asks one hook before the due work is done. Its answer may change what is due.
 * @param question what `questionBefore` returned
 * @returns false if the work is to be done without asking
 */
export async function* askBefore(
  engine: Engine,
  due: Due,
  { question: { policy, about, callId }, signal }: { question: Question; signal: AbortSignal },
): AsyncGenerator<RunEvent, boolean> {
  // Hooks see the final answer even when the run's time is over.
  const heard = due.do === 'finish' ? signal : engine.signal
  // A cancelled run asks no more hooks for its remaining work. A drained run asks them when it resumes.
  if (heard.aborted) return stopOf(heard) === 'drain'
  const called = await ask(engine, policy, { about, callId, signal: heard })
  if (called !== undefined) yield engine.emit(called)
  return true
}

interface Question {
  readonly policy: HookOutcome
  readonly about: JsonObject
  readonly callId?: string | undefined
}

/** What is to be asked of the next outstanding hook before the due work is done. */
export function questionBefore(engine: Engine, due: Due): Question | undefined {
  const { state } = engine
  const step = state.steps.at(-1)
  const question = (policy: HookOutcome | undefined, about: () => JsonObject): Question | undefined =>
    policy === undefined ? undefined : { policy, about: about() }
  switch (due.do) {
    case 'step':
      if (step !== undefined) return undefined
      return question(outstanding(engine, 'pre_reply', state.hooks), () => ({
        question: hookedQuestion(state) ?? state.start.input,
        instructions: hookedInstructions(state.hooks) ?? engine.deps.instructions,
      }))
    case 'ask': {
      if (due.step.request !== undefined) return undefined
      return question(outstanding(engine, 'pre_reasoning', due.step.hooks), () => {
        const { messagesBefore, summary } = due.step
        const counts = { messages: messagesBefore, tools: summary ? 0 : engine.offering.set.offered.length }
        const { hooks } = due.step
        const last = state.messages[messagesBefore - 1]
        const text = hookedLastMessage(due.step)
        const instructions =
          hookedInstructions(hooks) ?? hookedInstructions(state.hooks) ?? engine.deps.instructions
        const lastMessage = last === undefined || text === undefined ? (last ?? null) : { ...last, text }
        return { counts, lastMessage: toJsonObject(lastMessage), instructions }
      })
    }
    case 'calls':
    case 'close':
      if (step?.parts === undefined || step.fault !== undefined) return undefined
      return (
        question(outstanding(engine, 'post_reasoning', step.hooks), () => {
          const parts = (step.parts ?? []).filter(({ type }) => type !== 'opaque')
          return { parts: toJsonObject(parts), finishReason: step.finishReason ?? null }
        }) ?? printQuestion(engine)
      )
    case 'finish': {
      const { status } = due
      const answer = hookedAnswer(state) ?? due.answer
      if (answer === null || status === 'cancelled' || status === 'failed') return printQuestion(engine)
      return (
        printQuestion(engine) ??
        question(outstanding(engine, 'post_reply', state.hooks), () => ({ answer, status }))
      )
    }
    default:
      // No hook is asked before the other kinds of work.
      return undefined
  }
}

/** The next finished block that a hook has not seen. */
function printQuestion(engine: Engine): Question | undefined {
  for (const policy of hooksOn(engine, 'print')) {
    const found = unprinted(engine.state, policy.node)
    if (found !== undefined)
      return { policy, about: { block: toJsonObject(found.block) }, callId: found.callId }
  }
  return undefined
}

/** A copy that holds only JSON values. */
function toJsonObject(value: object | null): JsonObject {
  return JSON.parse(JSON.stringify(value))
}

/** Whether a hook is still to be asked before the call runs. */
export function isHooked(engine: Engine, call: CallState): boolean {
  return outstandingFor(engine, call) !== undefined
}

/**
 * Asks the hooks before a call that may run, or that a person is to decide on. Each hook sees the arguments
 * that the hook before it left, after policies have ruled on them again.
 * @returns false when the run was stopped meanwhile, so that the call may not continue
 */
export async function* askBeforeCall(engine: Engine, call: CallState): AsyncGenerator<RunEvent, boolean> {
  for (;;) {
    const policy = outstandingFor(engine, call)
    const judged = policy && judge(engine, call)
    if (policy === undefined || judged === undefined || judged.runs === false) return !engine.signal.aborted
    const { tool, args, shown } = judged
    const about = { call: { id: call.id, tool: tool.name, args: shown } }
    const called = await ask(engine, policy, { about, callId: call.id, signal: engine.signal })
    if (called === undefined) return false
    yield engine.emit(withReplacedArgs(engine, called, { callId: call.id, original: args, shown }))
    // A hook's denial becomes a ruling when the call has its turn.
    if (called.decision === 'deny') return !engine.signal.aborted
  }
}

/** A hook sees no secrets, so what it leaves as it was keeps its secrets. */
function withReplacedArgs(
  { deps }: Engine,
  called: Called,
  about: { readonly callId: string; readonly original: JsonObject; readonly shown: JsonObject },
): Called {
  const given = called.changed?.args
  if (given === undefined) return called
  const { args, redacted } = replaceArgs(deps, { ...about, source: called.node, given })
  return { ...called, changed: { args, ...(redacted && { redacted }) } }
}

function denial({ use, node }: HookOutcome, tool: string, { callId = '', reason = '' }: Called): EventBody {
  return { type: 'policy.ruled', policy: use, node, tool, callId, verdict: 'deny', reason }
}

/** Emits the call's one result after the hooks have seen it: unchanged, replaced by a hook, or withheld. */
export async function* finishWithHooks(
  engine: Engine,
  call: CallState,
  finished: Finished,
): AsyncGenerator<RunEvent, void> {
  const tool = engine.tool(call.name)
  const policies =
    tool === undefined ? [] : hooksOn(engine, 'post_acting').filter((each) => covers(each, tool))
  const told =
    policies.length === 0 ? finished : yield* askAfterCall(engine, { call, tool, finished, policies })
  // When several calls of one step give an answer, the last one counts.
  const replaces = told.final && engine.state.steps.at(-1)?.finalOf
  yield engine.emit(replaces === undefined ? told : { ...told, replaces })
}

interface Ended {
  readonly call: CallState
  readonly tool: BoundTool | undefined
  readonly finished: Finished
  readonly policies: readonly HookOutcome[]
}

async function* askAfterCall(
  engine: Engine,
  { call, tool, finished, policies }: Ended,
): AsyncGenerator<RunEvent, Finished> {
  let told = finished
  const stopped = whenNoDrain(engine)
  try {
    for (const policy of policies) {
      const about = {
        call: { id: call.id, tool: told.name, args: call.args ?? {} },
        result: { text: told.result.text, status: told.status, code: told.code },
      }
      const called = await ask(engine, policy, { about, callId: call.id, signal: stopped.signal })
      if (called === undefined) {
        told = withholdResult(told, 'the run was stopped before a hook could check it')
        break
      }
      yield engine.emit(called)
      if (called.decision === 'deny') {
        yield engine.emit(denial(policy, told.name, called))
        told = withholdResult(told, called.reason ?? '')
        break
      }
      const said = called.changed?.text
      const most = tool === undefined ? Number.POSITIVE_INFINITY : engine.toolLimits(tool).maxChars
      if (said !== undefined)
        told = {
          ...told,
          result: { ...told.result, text: cut(said, most) },
          ...(told.final && { final: { answer: said } }),
        }
    }
  } finally {
    stopped.end()
  }
  return told
}

/** Without its hook's answer a result is lost, so a drain waits for the hook as for the body. */
function whenNoDrain({ signal }: Engine): { signal: AbortSignal; end(): void } {
  const stopped = new AbortController()
  const stop = () => {
    if (stopOf(signal) !== 'drain') stopped.abort(signal.reason)
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  return { signal: stopped.signal, end: () => signal.removeEventListener('abort', stop) }
}

function withholdResult(
  { artifact: _, final: __, metadata: ___, note: ____, ...finished }: Finished,
  why: string,
): Finished {
  const text = `The call ran, but its result is withheld: ${why}.`
  const result: Observation = { blocks: [{ type: 'text', text }], text }
  return { ...finished, status: 'error', code: withheldCode, result }
}

interface Asking {
  readonly about: JsonObject
  readonly callId?: string | undefined
  readonly signal: AbortSignal
}

/** Asks one hook. Undefined when the run was stopped first: the hook is then asked again later, or never. */
async function ask(
  engine: Engine,
  policy: HookOutcome,
  { about, callId, signal }: Asking,
): Promise<Called | undefined> {
  const { deps, state } = engine
  const { hook, node } = policy
  const { on, url, headers, timeoutSeconds } = hook
  const { id, name, version } = state.start.agent
  const startedAt = deps.clock.monotonic()
  const body = JSON.stringify({
    version: 1,
    on,
    agent: { id, name, version },
    runId: deps.hooks?.runId ?? null,
    threadId: state.start.threadId,
    step: state.steps.length,
    ...about,
  })
  const answer = signal.aborted
    ? undefined
    : await (deps.hooks?.call({ url, headers, timeoutSeconds, body }, signal) ?? noWayOut)
  if (signal.aborted || answer === undefined) return undefined
  const read = answer.ok ? readReply(answer.text, on) : { problem: answer.message }
  const base = { type: 'hook.called', node, on, ...(callId !== undefined && { callId }) } as const
  const durationMs = since(deps, startedAt)
  if ('problem' in read) {
    const error = redactText(deps, read.problem)
    if (hook.onFailure === 'continue' || on === 'print')
      return { ...base, decision: 'continue', durationMs, error }
    return {
      ...base,
      decision: 'deny',
      reason: `its hook failed: ${stripFullStop(error)}`,
      durationMs,
      error,
    }
  }
  return { ...base, ...recordReply(read, (words) => redactText(deps, words)), durationMs }
}

const noWayOut = { ok: false, message: 'This program cannot send requests to hooks.' } as const

function stripFullStop(sentence: string): string {
  return sentence.replace(/[.!?]+$/, '')
}

const reply = z.strictObject({
  decision: z.enum(['continue', 'deny']).optional(),
  reason: z.string().max(2_000).optional(),
  args: jsonObject.optional(),
  text: z.string().optional(),
  question: z.string().optional(),
  instructions: z.string().optional(),
  lastMessage: z.string().optional(),
})
type Reply = z.infer<typeof reply> & { readonly on: HookMoment }

/** An empty reply means "go on". */
function readReply(text: string, on: HookMoment): Reply | { readonly problem: string } {
  if (text.trim() === '') return { on }
  const value = tryParseJson(text)
  if (value === undefined) return { problem: 'Its answer is not valid JSON.' }
  const read = reply.safeParse(value)
  if (!read.success) {
    const [issue] = read.error.issues
    const where = issue === undefined || issue.path.length === 0 ? '' : ` at "${issue.path.join('/')}"`
    return {
      problem: `Its answer is invalid${where}: ${issue?.message ?? 'it does not have the expected form'}.`,
    }
  }
  const wrong = changes.find((key) => read.data[key] !== undefined && !takes[key].has(on))
  if (wrong !== undefined) return { problem: `Its answer is invalid: "${wrong}" is not allowed on ${on}.` }
  if (on === 'print' && read.data.decision === 'deny')
    return { problem: 'Its answer is invalid: "deny" is not allowed on print.' }
  return { ...read.data, on }
}

const notes: ReadonlySet<HookMoment> = new Set(['pre_reply', 'pre_reasoning'])

/** The moments at which a hook may change each of these. */
const takes = {
  args: new Set<HookMoment>(['pre_acting']),
  text: new Set<HookMoment>([...notes, 'post_acting', 'post_reply']),
  question: new Set<HookMoment>(['pre_reply']),
  instructions: new Set<HookMoment>(['pre_reply', 'pre_reasoning']),
  lastMessage: new Set<HookMoment>(['pre_reasoning']),
} as const
const changes = ['args', 'text', 'question', 'instructions', 'lastMessage'] as const

/** A denial changes nothing, so only its reason is kept. */
function recordReply(
  { on, decision = 'continue', reason, args, text, ...sent }: Reply,
  clean: (text: string) => string,
): Pick<Called, 'decision' | 'reason' | 'changed' | 'note'> {
  const why = clean(stripFullStop((reason ?? '').trim()))
  if (decision === 'deny') return { decision, reason: why === '' ? 'a hook denied it' : why }
  const isNote = notes.has(on)
  const changed = {
    ...(args !== undefined && { args }),
    ...(text !== undefined && !isNote && { text: clean(text) }),
    ...(sent.question !== undefined && { question: clean(sent.question) }),
    ...(sent.instructions !== undefined && { instructions: clean(sent.instructions) }),
    ...(sent.lastMessage !== undefined && { lastMessage: clean(sent.lastMessage) }),
  }
  return {
    decision,
    ...(why !== '' && { reason: why }),
    ...(Object.keys(changed).length > 0 && { changed }),
    ...(isNote && text !== undefined && text.trim() !== '' && { note: clean(text) }),
  }
}
