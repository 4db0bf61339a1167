/** Lets a body ask the run’s model: within the run's budgets, as events of the run, and once for each question. */
import { type Completion, type CompletionRequest, shownPrompt } from '#lib/spec/completion'
import type { CallState, CompletionState } from '#lib/spec/state'
import type { ToolContext } from '#lib/spec/tool'
import { type Completing, createCompletion, type HeardCompletion, type Room } from '../answer/complete'
import type { OtherModel } from '../deps'
import type { Engine } from '../engine'
import type { LazyAbort, Stopping } from '../later'
import type { Hider } from '../observation/hide'
import { cut } from '../observation/observe'
import { overrun } from '../overrun'
import { readOutput } from '../request/output'
import type { CompletionBody } from './running'

/** The body that asks. */
interface AskingBody {
  readonly call: CallState
  /** Records a question; `recorded` is called once it is an event. */
  completed(event: CompletionBody, recorded: () => void): void
}

interface Asker {
  readonly working: LazyAbort
  readonly over: Stopping
  readonly hider: Hider
}

/** Questions that an earlier life of the server recorded for this call, and that this one has not asked yet. */
const recorded = new WeakMap<AskingBody, CompletionState[]>()

export function completer(
  engine: Engine,
  beginning: AskingBody,
  asker: Asker,
): NonNullable<ToolContext['complete']> {
  const { call } = beginning
  if (!recorded.has(beginning) && call.completions !== undefined)
    recorded.set(beginning, [...call.completions])
  return async (request) => {
    const first = await askOnce(engine, beginning, { ...asker, request })
    const { schema } = request
    if (!first.ok || schema === undefined) return first
    const read = readOutput(first.text, schema)
    if (read.ok) return { ...first, value: read.value }
    const prompt = `${request.prompt}\n\n${corrects(first.text, read.fault)}`
    const again = await askOnce(engine, beginning, { ...asker, request: { ...request, prompt } })
    const spent = sum(first, again)
    if (!again.ok) return { ...again, ...spent }
    const second = readOutput(again.text, schema)
    if (second.ok) return { ...again, value: second.value, ...spent }
    const message = `The model’s answer does not fit what was asked for: ${second.fault}`
    return { ok: false, code: 'not_fitting', message, ...spent }
  }
}

function corrects(text: string, fault: string): string {
  return `Your answer was:\n${cut(text, shownPrompt)}\n\nThis is wrong with it: ${fault}\nAnswer again, with the JSON alone.`
}

function sum(one: Completion, other: Completion): Pick<Completion, 'usage' | 'costUsd'> {
  const { usage } = other
  return {
    usage: { ...usage, input: one.usage.input + usage.input, output: one.usage.output + usage.output },
    costUsd: one.costUsd === null || other.costUsd === null ? null : one.costUsd + other.costUsd,
  }
}

/** Resolves when the question is an event, or at once with a refusal. */
async function askOnce(
  engine: Engine,
  beginning: AskingBody,
  { working, over, hider, request }: Asker & { readonly request: CompletionRequest },
): Promise<Completion> {
  const model = runModel(engine)
  const room = roomIn(engine, model, request)
  if ('ok' in room) return room
  if (over.aborted || working.aborted) return refused('aborted', 'The call was stopped.')
  const step = Math.max(1, engine.state.steps.length)
  const completing = createCompletion(engine.deps, { model, request, room, step })
  const known = takeRecorded(beginning, completing.hash)
  if (known !== undefined) return readBack(known)
  return new Promise((resolve) => {
    let isSettled = false
    const settle = (
      heard: HeardCompletion,
      record: (event: CompletionBody, recorded: () => void) => void,
    ) => {
      if (isSettled) return
      isSettled = true
      working.signal.removeEventListener('abort', stop)
      record(eventOf({ completing, heard, hider, request, model, callId: beginning.call.id }), () =>
        resolve(answerOf(heard)),
      )
    }
    // At once, so that what was used is on record before the call ends.
    const stop = () => {
      const fault = { code: 'aborted', message: 'The call was stopped.' }
      settle({ ...completing.soFar(), fault }, (event, done) => {
        beginning.completed(event, () => undefined)
        done()
      })
    }
    working.signal.addEventListener('abort', stop)
    void completing.ask(working.signal).then((heard) => settle(heard, beginning.completed))
  })
}

function runModel({ deps }: Engine): OtherModel {
  const { model: client, price, breaker, modelTimeoutSeconds: timeoutSeconds } = deps
  return { client, contextWindow: null, timeoutSeconds, ...(price && { price }), ...(breaker && { breaker }) }
}

/** What is left of the run's budgets, or why nothing can be asked. */
function roomIn(
  { state, limits }: Engine,
  { client, price }: OtherModel,
  { maxUsd }: CompletionRequest,
): Room | Extract<Completion, { ok: false }> {
  const { budget } = limits
  if (price === undefined && (maxUsd !== undefined || budget.usd !== Number.POSITIVE_INFINITY))
    return refused(
      'price_unknown',
      `The price of ${client.name} (${client.provider}) is not known, so a limit in dollars cannot be kept. Set the price in Settings, or remove the limit.`,
    )
  const over = overrun(state, limits, false)
  if (over !== undefined) return refused('budget', `Nothing was asked: ${over.reason}.`)
  const { input, output } = state.usage
  return { tokens: budget.tokens - input - output, usd: budget.usd - (state.costUsd ?? 0) }
}

function refused(code: string, message: string): Extract<Completion, { ok: false }> {
  return { ok: false, code, message, usage: { input: 0, output: 0 }, costUsd: 0 }
}

/** The answer to the same question before a crash, each once. */
function takeRecorded(beginning: AskingBody, hash: string): CompletionState | undefined {
  const left = recorded.get(beginning)
  const at = left?.findIndex((each) => each.hash === hash && each.error === undefined) ?? -1
  return at < 0 ? undefined : left?.splice(at, 1)[0]
}

/** It was paid for before, so it costs nothing now; a body that adds up its costs still has to count it. */
function readBack({ text, cut: isCut, usage, costUsd }: CompletionState): Completion {
  return { ok: true, text, usage, costUsd, ...(isCut && { isCut }) }
}

interface Asked {
  readonly completing: Completing
  readonly heard: HeardCompletion
  readonly hider: Hider
  readonly request: CompletionRequest
  readonly model: OtherModel
  readonly callId: string
}

function eventOf({ completing, heard, hider, request, model, callId }: Asked): CompletionBody {
  const error = errorOf(heard)
  return {
    type: 'completion.finished',
    callId,
    purpose: cut(hider.text(request.purpose), 200),
    model: { provider: model.client.provider, name: model.client.name },
    prompt: cut(hider.text(request.prompt), shownPrompt),
    hash: completing.hash,
    text: hider.text(heard.text.trim()),
    ...(heard.isCut && { cut: true }),
    attempts: heard.attempts,
    durationMs: heard.durationMs,
    usage: heard.usage,
    costUsd: heard.costUsd,
    ...(error && { error: { code: error.code, message: hider.text(error.message) } }),
  }
}

function errorOf({ text, fault }: HeardCompletion): HeardCompletion['fault'] {
  if (fault !== undefined) return { code: fault.code, message: fault.message }
  return text.trim() === '' ? { code: 'empty', message: 'The model answered nothing.' } : undefined
}

function answerOf(heard: HeardCompletion): Completion {
  const { text, isCut, usage, costUsd } = heard
  const error = errorOf(heard)
  if (error !== undefined) return { ok: false, ...error, usage, costUsd }
  return { ok: true, text: text.trim(), usage, costUsd, ...(isCut && { isCut }) }
}
