/** One connection to a model through OpenAI's own client, for either of its APIs. */
import type { JsonObject } from '#lib/spec/json'
import type {
  Endpoint,
  ModelChunk,
  ModelClient,
  ModelContext,
  ModelRequest,
  ModelTarget,
} from '#lib/spec/model'
import { ChunkBuffer } from '../wire/chunk-buffer'
import { byRequest, createClientOnce, going } from '../wire/clients'
import { converse } from '../wire/exchange'
import { settingsFault } from '../wire/faults'
import { type Asked, reach, siteOf } from '../wire/reachable'
import type { AnswerReader, Heard } from '../wire/reader'
import { waitsOf } from '../wire/waits'
import { withoutEnvHeaders } from '../wire/without-env-headers'

export interface OpenaiSettings {
  readonly name: string
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly maxOutputTokens?: number | undefined
  readonly reasoningEffort?: string | undefined
  readonly extra: JsonObject
  readonly stream: boolean
  readonly timeoutSeconds: number
}

export interface OpenaiKind extends Asked {
  readonly provider: string
}

/** One of the APIs: its path, how requests are written, and how answers are read. */
export interface OpenaiApi {
  /** Below the base URL. */
  readonly path: string
  encode(request: ModelRequest): string
  hearing(heard: Heard): AnswerReader
  /** The text in a body that requests an answer in JSON. */
  readonly jsonMark: string
}

const jsonHeaders = { 'content-type': 'application/json' }
const patientEfforts = new Set(['high', 'xhigh', 'max'])

interface Connecting {
  readonly kind: OpenaiKind
  readonly settings: OpenaiSettings
  readonly api: OpenaiApi
  readonly context: ModelContext
}

export function connectOpenai({ kind, settings, api, context }: Connecting): ModelClient {
  const { stream, timeoutSeconds, maxOutputTokens, reasoningEffort = '' } = settings
  const isPatient = patientEfforts.has(reasoningEffort)
  const clientOf = createClientOnce(openaiClient)
  return {
    provider: kind.provider,
    name: settings.name,
    encode: api.encode,
    target: (key) => {
      const place = reach(kind, context.endpoint(kind.endpoint))
      return place.ok ? targetOf(place.endpoint, api.path, key) : undefined
    },
    async *stream(body, signal) {
      const place = reach(kind, context.endpoint(kind.endpoint))
      if (!place.ok) return yield { type: 'fault', fault: settingsFault(place.message) }
      const { endpoint } = place
      const site = siteOf(kind.label, endpoint)
      const chunks = converse({
        site,
        waits: waitsOf(endpoint, { stream, timeoutSeconds, isPatient }),
        stream,
        fetch: context.fetch,
        signal,
        hearing: api.hearing({ out: new ChunkBuffer(), site, asked: body, maxOutputTokens }),
        async send(how) {
          const client = await clientOf(endpoint)
          return await client.post(api.path, { body, headers: jsonHeaders, ...going(how) }).asResponse()
        },
      })
      // Inside a text of the dialogue the quotes of the mark would be escaped, so it cannot match there.
      if (!body.includes(api.jsonMark)) return yield* chunks
      for await (const chunk of chunks) yield withoutJson(chunk, kind)
    },
  }
}

const aboutJson = /response_format|text\.format|json[ _-]?(object|mode|format|schema)/i

/** If a provider rejects the request for JSON, the next attempt is made without it. */
function withoutJson(chunk: ModelChunk, { label }: OpenaiKind): ModelChunk {
  if (chunk.type !== 'fault') return chunk
  const { code, message } = chunk.fault
  if (code !== 'bad_request' || !aboutJson.test(message)) return chunk
  const why = `${label} does not support requests for an answer in JSON, so the request is repeated without that option. ${message}`
  return { type: 'fault', fault: { ...chunk.fault, code: 'json_refused', message: why, retry: 'now' } }
}

function targetOf({ baseUrl, key: own }: Endpoint, path: string, key: string): ModelTarget {
  return {
    url: `${baseUrl}${path}`,
    headers: { ...jsonHeaders, ...(own !== undefined && { authorization: `Bearer ${key}` }) },
  }
}

/** The client is loaded with the first request: it is large, and many runs do not need it. */
export async function openaiClient({ baseUrl, key }: Pick<Endpoint, 'baseUrl' | 'key'>) {
  const { OpenAI } = await import('openai')
  return withoutEnvHeaders(
    'OPENAI_CUSTOM_HEADERS',
    () =>
      new OpenAI({
        baseURL: baseUrl,
        // The client requires a key; the header that it makes from this one is removed below.
        apiKey: key ?? 'none',
        adminAPIKey: null,
        organization: null,
        project: null,
        webhookSecret: null,
        defaultHeaders: key === undefined ? { authorization: null } : {},
        fetch: byRequest,
        maxRetries: 0,
        logLevel: 'off',
      }),
  )
}
