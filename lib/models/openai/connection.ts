/** Connects and probes models through OpenAI's own client, for either of its APIs. */
import type { JsonObject } from '#lib/spec/json'
import type { ModelChunk, ModelClient, ModelContext, Probe } from '#lib/spec/model'
import { type Probing, probe } from '../probe'
import { clientOptions, type MakeClient, withoutEnvHeaders } from '../wire/clients'
import { connect, type ModelApi, type ModelKind } from '../wire/connection'
import { cacheKeyMark } from './cache-key'

export interface OpenaiSettings {
  readonly name: string
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly maxOutputTokens?: number | undefined
  readonly reasoningEffort?: string | undefined
  readonly extra: JsonObject
  readonly stream: boolean
  readonly timeoutSeconds: number
  readonly promptCache?: boolean | undefined
}

interface OpenaiApi extends Omit<ModelApi, 'headers' | 'makeClient' | 'cache'> {
  /** The text in a body that requests an answer in JSON. */
  readonly jsonMark: string
}

const patientEfforts = new Set(['high', 'xhigh', 'max'])

interface Connecting {
  readonly kind: ModelKind
  readonly settings: OpenaiSettings
  readonly api: OpenaiApi
  readonly context: ModelContext
}

export function connectOpenai({ kind, settings, api, context }: Connecting): ModelClient {
  const client = connect({
    kind,
    settings,
    api: { ...api, headers: { 'content-type': 'application/json' }, makeClient, cache },
    context,
    maxOutputTokens: settings.maxOutputTokens,
    isPatient: patientEfforts.has(settings.reasoningEffort ?? ''),
  })
  return {
    ...client,
    async *stream(body, signal) {
      const chunks = client.stream(body, signal)
      // Inside a text of the dialogue the quotes of the mark would be escaped, so it cannot match there.
      if (!body.includes(api.jsonMark)) return yield* chunks
      for await (const chunk of chunks) yield withoutJson(chunk, kind)
    },
  }
}

const cache = { mark: cacheKeyMark, about: /prompt_cache_(key|breakpoint)/i }
const aboutJson = /response_format|text\.format|json[ _-]?(object|mode|format|schema)/i

/** If a provider rejects the request for JSON, the next attempt is made without it. */
function withoutJson(chunk: ModelChunk, { label }: ModelKind): ModelChunk {
  if (chunk.type !== 'fault') return chunk
  const { code, message } = chunk.fault
  if (code !== 'bad_request' || !aboutJson.test(message)) return chunk
  const why = `${label} does not support requests for an answer in JSON, so the request is repeated without that option. ${message}`
  return { type: 'fault', fault: { ...chunk.fault, code: 'json_refused', message: why, retry: 'now' } }
}

/** All models are on one page. */
export function probeOpenai(probing: Probing): Promise<Probe> {
  return probe(probing, { first: '/models', makeClient, next: () => undefined })
}

/** The client is loaded with the first request: it is large, and many runs do not need it. */
const makeClient: MakeClient = async (endpoint, how) => {
  const { OpenAI } = await import('openai')
  return withoutEnvHeaders(
    'OPENAI_CUSTOM_HEADERS',
    () =>
      new OpenAI({
        ...clientOptions(endpoint, how),
        adminAPIKey: null,
        organization: null,
        project: null,
        webhookSecret: null,
      }),
  )
}
