/** One connection to a model that speaks Chat Completions, over OpenAI's own client. */
import type { JsonObject } from '#lib/spec/json'
import type { Endpoint, ModelClient, ModelContext, ModelTarget } from '#lib/spec/model'
import { converse, type Send } from './exchange'
import { settingsFault } from './faults'
import { chatEncoder } from './openai-body'
import { OpenaiHearing } from './openai-stream'
import { Outlet } from './outlet'
import { reach, siteOf } from './place'
import { unadorned } from './unadorned'
import { waitsOf } from './waits'

export interface ChatSettings {
  readonly name: string
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly maxOutputTokens?: number | undefined
  readonly reasoningEffort?: string | undefined
  readonly stream: boolean
  readonly timeoutSeconds: number
}

/** Where OpenAI's service and those that speak its language differ. */
export interface ChatKind {
  readonly provider: string
  /** The name of the endpoint in Settings. */
  readonly endpoint: string
  readonly label: string
  readonly maxTokensKey: 'max_completion_tokens' | 'max_tokens'
  readonly noText: null | ''
  /** Whether thoughts go back to where they came from. */
  readonly replays: boolean
}

const chatPath = '/chat/completions'
const jsonHeaders = { 'content-type': 'application/json' }
const patientEfforts = new Set(['high', 'xhigh', 'max'])

export function connectChat(kind: ChatKind, settings: ChatSettings, context: ModelContext): ModelClient {
  const { endpoint: name, noText } = kind
  const { stream, timeoutSeconds, maxOutputTokens, reasoningEffort = '' } = settings
  const replaysTo = kind.replays ? name : undefined
  return {
    provider: kind.provider,
    name: settings.name,
    encode: chatEncoder({ head: headOf(kind, settings), noText, replaysTo }),
    target: (key) => {
      const place = reach(kind, context.endpoint(name))
      return place.ok ? targetOf(place.endpoint, key) : undefined
    },
    async *stream(body, signal) {
      const place = reach(kind, context.endpoint(name))
      if (!place.ok) return yield { type: 'fault', fault: settingsFault(place.message) }
      const { endpoint } = place
      const site = siteOf(kind.label, endpoint)
      const hearing = new OpenaiHearing({ out: new Outlet(), site, asked: body, maxOutputTokens, replaysTo })
      const isPatient = patientEfforts.has(reasoningEffort)
      yield* converse({
        site,
        waits: waitsOf(endpoint, { stream, timeoutSeconds, isPatient }),
        stream,
        fetch: context.fetch,
        signal,
        hearing,
        send: (how) => sendChat(endpoint, body, how),
      })
    },
  }
}

function targetOf({ baseUrl, key: own }: Endpoint, key: string): ModelTarget {
  return {
    url: `${baseUrl}${chatPath}`,
    headers: { ...jsonHeaders, ...(own !== undefined && { authorization: `Bearer ${key}` }) },
  }
}

function headOf({ maxTokensKey }: ChatKind, settings: ChatSettings): JsonObject {
  const { name, temperature, topP, maxOutputTokens, reasoningEffort, stream } = settings
  return {
    model: name,
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(maxOutputTokens === undefined ? {} : { [maxTokensKey]: maxOutputTokens }),
    ...(reasoningEffort === undefined ? {} : { reasoning_effort: reasoningEffort }),
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
  }
}

/** The client is loaded when the first request is made: it is large, and many runs need none. */
export async function openaiClient({ baseUrl, key }: Endpoint, { fetch, timeoutMs }: Send) {
  const { OpenAI } = await import('openai')
  return unadorned(
    'OPENAI_CUSTOM_HEADERS',
    () =>
      new OpenAI({
        baseURL: baseUrl,
        // The client insists on a key; what it makes of this one is taken out below.
        apiKey: key ?? 'none',
        adminAPIKey: null,
        organization: null,
        project: null,
        webhookSecret: null,
        defaultHeaders: key === undefined ? { authorization: null } : {},
        fetch,
        timeout: timeoutMs,
        maxRetries: 0,
        logLevel: 'off',
      }),
  )
}

async function sendChat(endpoint: Endpoint, body: string, how: Send): Promise<Response> {
  const client = await openaiClient(endpoint, how)
  return await client.post(chatPath, { body, headers: jsonHeaders, signal: how.signal }).asResponse()
}
