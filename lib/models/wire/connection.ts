/** One connection to a model: sends each request through an official client and reads its answer. */
import type { Endpoint, ModelClient, ModelContext, ModelRequest, ModelWaits } from '#lib/spec/model'
import { ChunkBuffer } from './chunk-buffer'
import type { MakeClient } from './clients'
import { converse } from './exchange'
import { settingsFault } from './faults'
import { type Asked, reach, siteOf } from './reachable'
import type { AnswerReader, Heard } from './reader'

/** One of the APIs: its path, how requests are written, and how answers are read. */
export interface ModelApi {
  /** Below the base URL. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly makeClient: MakeClient
  encode(request: ModelRequest): string
  hearing(heard: Heard): AnswerReader
}

export interface ModelKind extends Asked {
  readonly provider: string
}

export interface Connecting {
  readonly kind: ModelKind
  readonly settings: { readonly name: string; readonly stream: boolean; readonly timeoutSeconds: number }
  readonly api: ModelApi
  readonly context: ModelContext
  readonly maxOutputTokens: number | undefined
  /** The model may think for minutes before its first text. */
  readonly isPatient: boolean
}

export function connect(connecting: Connecting): ModelClient {
  const { kind, settings, api, context, maxOutputTokens } = connecting
  const reached = () => reach(kind, context.endpoint(kind.endpoint))
  return {
    provider: kind.provider,
    name: settings.name,
    encode: api.encode,
    target(key) {
      const place = reached()
      if (!place.ok) return undefined
      const { baseUrl, key: own } = place.endpoint
      return {
        url: `${baseUrl}${api.path}`,
        headers: { ...api.headers, ...(own !== undefined && { authorization: `Bearer ${key}` }) },
      }
    },
    async *stream(body, signal) {
      const place = reached()
      if (!place.ok) return yield { type: 'fault', fault: settingsFault(place.message) }
      const { endpoint } = place
      const site = siteOf(kind.label, endpoint)
      yield* converse({
        site,
        waits: waitsOf(endpoint, connecting),
        stream: settings.stream,
        fetch: context.fetch,
        signal,
        hearing: api.hearing({ out: new ChunkBuffer(), site, asked: body, maxOutputTokens }),
        async send(how) {
          const client = await api.makeClient(endpoint, how)
          return await client.post(api.path, { body, headers: api.headers, signal: how.signal }).asResponse()
        },
      })
    },
  }
}

const standardWaits: ModelWaits = { headersMs: 60_000, firstContentMs: 120_000, betweenMs: 60_000 }

/** How long an answer may stay silent. */
function waitsOf(endpoint: Endpoint, { settings, isPatient }: Connecting): ModelWaits {
  const limit = Math.ceil(settings.timeoutSeconds * 1_000)
  // Without streaming the whole answer arrives at once at the end.
  if (!settings.stream) return { headersMs: limit, firstContentMs: limit, betweenMs: limit }
  const { headersMs, firstContentMs, betweenMs } = standardWaits
  const own = isPatient
    ? { headersMs: Math.max(headersMs, limit), firstContentMs: Math.max(firstContentMs, limit), betweenMs }
    : standardWaits
  return { ...own, ...endpoint.waits }
}
