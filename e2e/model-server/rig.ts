/**
 * Runs the real engine with a real client against the model server, and reports everything
 * about the run afterwards.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock, ModelRetry, RunDeps } from '#lib/agent/deps'
import { collect, createTool, digest, endOf, fresh, of } from '#lib/agent/rig.fixture'
import { anthropic } from '#lib/models/anthropic/anthropic'
import { openai } from '#lib/models/openai/openai'
import { openaiCompatible } from '#lib/models/openai/openai-compatible'
import { openaiResponses } from '#lib/models/openai/openai-responses'
import { native } from '#lib/protocols/native'
import { createOutbound } from '#lib/server/environment/outbound'
import type { RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import { type CallPart, callsOf, textOf } from '#lib/spec/message'
import type { ModelClient, ModelWaits, Provider } from '#lib/spec/model'
import type { BoundPolicy } from '#lib/spec/policy'
import { closedPorts } from '#lib/spec/ports.fixture'
import type { RunStart } from '#lib/spec/state'
import type { BoundTool } from '#lib/spec/toolkit'
import type { Wire } from './behaviour'
import type { Asked } from './responder'

export const wires: readonly Wire[] = ['openai', 'anthropic', 'responses']

/** A clock with real time, or with time that is faster by this factor, for waits that a provider asks for. */
export function createClock(speed = 1): Clock {
  const begun = performance.now()
  const epoch = Date.now()
  const monotonic = () => (performance.now() - begun) * speed
  return {
    now: () => epoch + monotonic(),
    monotonic,
    async sleep(ms, signal) {
      try {
        await wait(ms / speed, undefined, { signal })
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
  }
}

/** The product's retries with shorter waits. */
export const shortRetry: ModelRetry = { max: 3, baseMs: 8, capMs: 40, longestHintMs: 60_000 }
/** Long enough for a busy machine; no test waits until they have passed. */
const patientWaits: ModelWaits = { headersMs: 60_000, firstContentMs: 60_000, betweenMs: 60_000 }

/** A clock that is faster by this factor, with the time limit of an answer extended to match. */
export function faster(speed: number): Pick<RunDeps, 'clock' | 'modelTimeoutSeconds'> {
  return { clock: createClock(speed), modelTimeoutSeconds: 60 * speed }
}

export interface Reached {
  readonly openaiUrl: string
  readonly anthropicUrl: string
}

export interface Trial {
  readonly wire: Wire
  readonly at: Reached
  /** Settings of the model other than its name. */
  readonly settings?: JsonObject
  /** The waits of the request with this number, if they should be short. */
  readonly waits?: (n: number) => Partial<ModelWaits>
  /** By default `openai-compatible` for the Chat Completions wire. */
  readonly provider?: string
  readonly fetch?: typeof globalThis.fetch
  /** The addresses that have refused requests for caching, shared with other trials. */
  readonly cacheRefusals?: Set<string>
  /** Whether the operator says that the endpoint takes requests for caching. */
  readonly endpointCaches?: boolean
  readonly tools?: readonly BoundTool[]
  readonly policies?: readonly BoundPolicy[]
  readonly deps?: Partial<RunDeps>
  readonly begin?: Partial<RunStart>
  readonly controller?: AbortController
  readonly on?: (event: RunEvent, controller: AbortController) => void
}

/** The server's own way out, so that trials over sockets go by it. */
const outbound = createOutbound()
const providers: readonly Provider[] = [anthropic, openai, openaiCompatible, openaiResponses]
const providerIds: Record<Wire, string> = {
  openai: 'openai-compatible',
  anthropic: 'anthropic',
  responses: 'openai-responses',
}

export function connect(trial: Trial): ModelClient {
  const { wire, at, settings = {}, waits, provider, fetch, cacheRefusals, endpointCaches } = trial
  const id = provider ?? providerIds[wire]
  const found = providers.find((each) => each.id === id)
  if (found === undefined) throw new Error(`there is no provider ${id}`)
  const given = {
    ...(id === 'openai-compatible' ? { endpoint: 'local' } : {}),
    name: 'model-large',
    ...settings,
  }
  const baseUrl = wire === 'anthropic' ? at.anthropicUrl : at.openaiUrl
  let asked = 0
  const client = found.connect(found.settings.parse(given), {
    sleep: createClock().sleep,
    endpoint(name) {
      const all = { ...patientWaits, ...waits?.(asked) }
      const caches = endpointCaches ? { promptCache: true as const } : {}
      return { name, baseUrl, key: 'sk-test-1234567890', waits: all, ...caches }
    },
    ...(cacheRefusals === undefined ? {} : { cacheRefusals }),
    ...(fetch === undefined ? { fetch: outbound.fetch, post: outbound.post } : { fetch }),
  })
  return {
    ...client,
    stream(body, signal) {
      asked += 1
      return client.stream(body, signal)
    },
  }
}

/** A tool that has an effect, so it must never run twice for one call. */
export function createFinder(ran: string[]): BoundTool {
  return createTool('data.find', {
    effect: 'effect',
    risk: 'write',
    parameters: {
      type: 'object',
      properties: { q: { type: 'string' }, limit: { type: 'integer' } },
      required: ['q'],
      additionalProperties: false,
    },
    run: (args) => {
      ran.push(JSON.stringify(args))
      return { ok: true, blocks: [{ type: 'text', text: `found ${String(args.q)}` }] }
    },
  })
}

export interface Outcome {
  readonly events: readonly RunEvent[]
  readonly status: string
  readonly answer: string | null
  /** The code of the run's error. */
  readonly error: string | null
  /** The message of the run's error. */
  readonly message: string
  /** The codes of `model.retried` events, in order; `waits` has their waits. */
  readonly retried: readonly string[]
  readonly waits: readonly number[]
  /** The arguments of the tool's runs, in order. */
  readonly ran: readonly string[]
  /** The ids of calls that started. */
  readonly started: readonly string[]
  /** The number of requests to the model, repeated attempts included. */
  readonly attempts: number
  /** Every complete answer of the model: its text, its reasoning and its calls. */
  readonly answers: readonly { text: string; reasoning: string; calls: CallPart[] }[]
  readonly ms: number
}

export async function runTrial(trial: Trial): Promise<Outcome> {
  const { tools, policies = [], deps = {}, begin = {}, controller = new AbortController(), on } = trial
  const ran: string[] = []
  const offered = tools ?? [createFinder(ran)]
  const began = performance.now()
  const events = await collect(
    {
      model: connect(trial),
      codec: native.open(offered, 'tool_message'),
      tools: offered,
      policies,
      instructions: 'Be brief.',
      ports: closedPorts,
      clock: createClock(),
      hash: digest,
      committed: async () => {},
      modelTimeoutSeconds: 60,
      retry: shortRetry,
      report: (error) => {
        throw error
      },
      ...deps,
    },
    { state: fresh(begin), controller, ...(on === undefined ? {} : { on }) },
  )
  return outcomeOf(events, ran, performance.now() - began)
}

function outcomeOf(events: readonly RunEvent[], ran: readonly string[], ms: number): Outcome {
  const end = endOf(events)
  const retries = of(events, 'model.retried')
  return {
    events,
    status: end.status,
    answer: end.answer,
    error: end.error?.code ?? null,
    message: end.error?.message ?? '',
    retried: retries.map((each) => each.code),
    waits: retries.map((each) => each.waitMs),
    ran,
    started: of(events, 'call.started').map((each) => each.callId),
    attempts: of(events, 'model.requested').length,
    answers: of(events, 'model.answered').map(({ parts }) => ({
      text: textOf(parts),
      reasoning: parts.map((each) => (each.type === 'reasoning' ? each.text : '')).join(''),
      calls: callsOf(parts),
    })),
    ms,
  }
}

/** The rules that hold whatever goes wrong; empty if none is broken. */
export function brokenLaws({ events, started }: Outcome, requests: readonly Asked[]): string[] {
  const laws: string[] = []
  for (const { n, refusal } of requests)
    if (refusal !== undefined) laws.push(`request ${n}: ${refusal.message}`)
  if (new Set(started).size !== started.length) laws.push(`a call began twice: ${started.join()}`)
  const finished = of(events, 'call.finished').map((each) => each.callId)
  if (new Set(finished).size !== finished.length) laws.push(`a call has two results: ${finished.join()}`)
  const asked = of(events, 'model.answered').flatMap(({ parts }) => callsOf(parts).map((each) => each.id))
  if (asked.join() !== finished.join()) laws.push(`calls ${asked.join()} have the results ${finished.join()}`)
  return laws
}
