/** Asks a model one question for a tool, with the same tries as a step, within limits of tokens, money and time. */
import type { CompletionRequest } from '#lib/spec/completion'
import { defaultMaxTokens } from '#lib/spec/completion'
import type { ModelFault, Usage } from '#lib/spec/model'
import type { StepState } from '#lib/spec/state'
import { estimateTokens } from '#lib/spec/tokens'
import type { OtherModel, RunDeps } from '../deps'
import { after } from '../later'
import { outputWords } from '../request/output'
import { costOf } from '../state/cost'
import { type ProviderReport, resting, restOf, restReason, retryOf, takeTurn } from './retry'

/** What all questions of a run share. */
export type CompleteDeps = Pick<RunDeps, 'clock' | 'retry' | 'random' | 'report' | 'hash'>

/** What is left for one question. */
export interface Room {
  readonly tokens: number
  readonly usd: number
}

export interface CompleteGiven {
  readonly model: OtherModel
  readonly request: CompletionRequest
  readonly room: Room
  /** The run's step, which a scripted model goes by. */
  readonly step: number
}

/** What is known of a question at any moment. */
export interface HeardCompletion {
  readonly text: string
  readonly isCut: boolean
  readonly attempts: number
  readonly usage: Usage
  readonly costUsd: number | null
  readonly durationMs: number
  readonly fault?: { readonly code: string; readonly message: string }
}

export interface Completing {
  readonly hash: string
  /** Asks. It ends early when the signal aborts, and never rejects. */
  ask(signal: AbortSignal): Promise<HeardCompletion>
  /** What it has used and heard so far. */
  soFar(): HeardCompletion
}

type Tries = Pick<StepState, 'retries' | 'sealed'>

/** Nothing is asked before `ask`. */
export function createCompletion(deps: CompleteDeps, given: CompleteGiven): Completing {
  const { model, request, room, step } = given
  const { client, price } = model
  const startedAt = deps.clock.monotonic()
  const most = Math.min(request.maxTokens ?? defaultMaxTokens, room.tokens)
  const mostUsd = Math.min(request.maxUsd ?? Number.POSITIVE_INFINITY, room.usd)
  const spent: Usage = { input: 0, output: 0 }
  const tries: Tries = { retries: [], sealed: [] }
  let attempt = 1
  let isCut = false
  let fault: ModelFault | undefined
  let now = { input: 0, text: '', thought: 0, chars: 0, hasBegun: false }

  const bodyOf = (): string =>
    client.encode({
      instructions:
        `${request.instructions ?? ''}${request.schema ? outputWords(request.schema, false) : ''}`.trim(),
      messages: [{ role: 'user', text: request.prompt }],
      tools: [],
      ...(request.schema && !tries.retries.some(({ code }) => code === 'json_refused') && { json: true }),
      purpose: request.purpose,
      step,
      attempt,
    })
  const first = bodyOf()
  const count = (usage: Usage) => {
    spent.input += usage.input
    spent.output += usage.output
    if (usage.reasoning !== undefined) spent.reasoning = (spent.reasoning ?? 0) + usage.reasoning
    if (usage.cached !== undefined) spent.cached = (spent.cached ?? 0) + usage.cached
    if (usage.cacheWritten !== undefined) spent.cacheWritten = (spent.cacheWritten ?? 0) + usage.cacheWritten
    if (usage.estimated) spent.estimated = true
    now = { ...now, input: 0, thought: 0, chars: 0, hasBegun: false }
  }
  /** Of the attempt under way: zero before its first word, as for an answer of a step. */
  const estimated = (): Usage => {
    if (!now.hasBegun) return { input: 0, output: 0 }
    return { input: now.input, output: estimateTokens(now.text) + now.thought, estimated: true }
  }
  const soFar = (): HeardCompletion => {
    const open = estimated()
    const usage: Usage = {
      ...spent,
      input: spent.input + open.input,
      output: spent.output + open.output,
      ...(open.estimated && { estimated: true }),
    }
    return {
      text: now.text,
      isCut,
      attempts: attempt,
      usage,
      costUsd: costOf(usage, price),
      durationMs: Math.max(0, Math.round(deps.clock.monotonic() - startedAt)),
      ...(fault && { fault }),
    }
  }
  const isOver = (): boolean => {
    if (estimateTokens(now.text) >= most) return true
    // Reasoning and earlier tries count for the run as well.
    const { input, output } = soFar().usage
    if (input + output >= room.tokens) return true
    const cost = mostUsd === Number.POSITIVE_INFINITY ? 0 : (soFar().costUsd ?? 0)
    return cost >= mostUsd
  }

  /** One request. Sets `fault`, or leaves the answer in `now`. */
  async function send(body: string, over: AbortController): Promise<void> {
    now = { input: estimateTokens(body), text: '', thought: 0, chars: 0, hasBegun: false }
    let checkedAt = 0
    try {
      for await (const chunk of client.stream(body, over.signal)) {
        if (over.signal.aborted) return
        if (chunk.type === 'fault') {
          fault = chunk.fault
          return count(estimated())
        }
        if (chunk.type === 'finish') {
          count(chunk.usage)
          if (chunk.reason === 'length') isCut = true
          else if (chunk.reason !== 'stop') fault = endedEarly
          return
        }
        if (chunk.type === 'text') now.text += chunk.text
        else if (chunk.type === 'reasoning') now.thought += estimateTokens(chunk.text)
        else continue
        now.hasBegun = true
        now.chars += chunk.text.length
        // The answer is measured again only when it has grown by a part of itself, so long ones stay cheap.
        if (now.chars < checkedAt) continue
        checkedAt = now.chars * 1.05
        if (isOver()) {
          isCut = true
          count(estimated())
          over.abort('enough')
          return
        }
      }
      count(estimated())
      fault = endedEarly
    } catch (error) {
      if (over.signal.aborted) return
      deps.report?.(error)
      count(estimated())
      fault = { code: 'protocol', message: 'The connection to the model broke unexpectedly.' }
    }
  }

  async function ask(signal: AbortSignal): Promise<HeardCompletion> {
    const late = new AbortController()
    const seconds = request.timeoutSeconds ?? model.timeoutSeconds
    const stopClock = after(deps.clock, seconds * 1_000, () => late.abort('late'))
    const stop = AbortSignal.any([signal, late.signal])
    try {
      await tryAll(stop)
    } finally {
      stopClock()
    }
    if (late.signal.aborted && !signal.aborted) {
      count(estimated())
      fault = { code: 'timeout', message: `The model did not answer within ${seconds} seconds.` }
    }
    return soFar()
  }

  async function tryAll(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      fault = undefined
      const restMs = model.breaker?.waitMs() ?? 0
      const rest = restMs > 0 ? restOf(tries, restMs) : undefined
      if (rest === undefined) {
        const giveBack = takeTurn(model.breaker)
        const over = new AbortController()
        const abort = () => over.abort('over')
        stop.addEventListener('abort', abort)
        try {
          await send(attempt === 1 ? first : bodyOf(), over)
          giveBack(stop.aborted ? undefined : reportOf(fault))
        } finally {
          stop.removeEventListener('abort', abort)
          giveBack()
        }
        if (fault === undefined || stop.aborted) return
      }
      const found: ModelFault = fault ?? { code: resting, message: restReason }
      const retry = rest ?? retryOf(found, tries, deps)
      if (!retry.again) {
        fault = retry.fault
        return
      }
      tries.retries.push({ attempt, code: found.code, reason: found.message, waitMs: retry.waitMs, at: 0 })
      attempt += 1
      await deps.clock.sleep(retry.waitMs, stop).catch(() => undefined)
    }
  }

  return { hash: deps.hash(first), ask, soFar }
}

function reportOf(fault: ModelFault | undefined): ProviderReport {
  return fault === undefined ? { finishReason: 'stop' } : { finishReason: 'fault', fault }
}

const endedEarly: ModelFault = {
  code: 'cut',
  message: 'The answer of the model ended before it was complete.',
  retry: 'backoff',
}
