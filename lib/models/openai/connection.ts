/** Connects and probes models through OpenAI's own client, for either of its APIs. */
import type { JsonObject } from '#lib/spec/json'
import type { ModelClient, ModelContext, ModelFault, Probe } from '#lib/spec/model'
import { type Probing, probe } from '../probe'
import { clientOptions, type MakeClient, withoutEnvHeaders } from '../wire/clients'
import { connect, type ModelApi, type ModelKind } from '../wire/connection'
import { seesPictures } from '../wire/pictures'
import { cacheKeyMark } from './cache-key'
import { service } from './service'

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
  readonly pictures?: 'send' | 'leave_out' | undefined
}

interface OpenaiApi extends Omit<ModelApi, 'headers' | 'makeClient' | 'cache' | 'retell'> {
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
  return connect({
    kind,
    settings,
    api: {
      ...api,
      headers: { 'content-type': 'application/json' },
      makeClient,
      cache,
      // Inside a text of the dialogue the quotes of the mark would be escaped, so it cannot match there.
      retell: (fault, body) => (body.includes(api.jsonMark) ? jsonFault(fault, kind) : fault),
    },
    context,
    maxOutputTokens: settings.maxOutputTokens,
    seesPictures: seesPictures(settings, kind.home === service.baseUrl ? service : {}),
    isPatient: patientEfforts.has(settings.reasoningEffort ?? ''),
  })
}

const cache = { mark: cacheKeyMark, about: /prompt_cache_(key|breakpoint)/i }
const aboutJson = /response_format|text\.format|json[ _-]?(object|mode|format|schema)/i

/** If a provider rejects the request for JSON, the next attempt is made without it. */
function jsonFault(fault: ModelFault, { label }: ModelKind): ModelFault {
  const { code, message } = fault
  if (code !== 'bad_request' || !aboutJson.test(message)) return fault
  const why = `${label} does not support requests for an answer in JSON, so the request is repeated without that option. ${message}`
  return { ...fault, code: 'json_refused', message: why, retry: 'now' }
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
