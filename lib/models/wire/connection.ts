/** One connection to a model: sends each request, directly or through an official client, and reads its answer. */
import type {
  Endpoint,
  ModelChunk,
  ModelClient,
  ModelContext,
  ModelFault,
  ModelRequest,
  ModelTarget,
  ModelWaits,
} from '#lib/spec/model'
import { ChunkBuffer } from './chunk-buffer'
import type { MakeClient } from './clients'
import { converse } from './exchange'
import { settingsFault } from './faults'
import { type Asked, reacher } from './reachable'
import type { AnswerReader, Heard } from './reader'

/** One of the APIs: its path, how requests are written, and how answers are read. */
export interface ModelApi {
  /** Below the base URL. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly makeClient: MakeClient
  encode(request: ModelRequest): string
  hearing(heard: Heard): AnswerReader
  readonly cache: CacheRequests
  /** Says of a fault what it means for the request with this body. */
  retell?(fault: ModelFault, body: string): ModelFault
}

/** How an API is asked to cache a request, and how its refusal of that is recognized. */
export interface CacheRequests {
  /** The text in a body that asks for it. Inside a text of the dialogue its quotes would be escaped. */
  readonly mark: string
  /** Fits the words of a service that does not know it. */
  readonly about: RegExp
}

export interface ModelKind extends Asked {
  readonly provider: string
  /** Whether only those addresses are asked to cache that the operator has named as able to. */
  readonly cachesWhereSet?: true
}

export interface Connecting {
  readonly kind: ModelKind
  readonly settings: {
    readonly name: string
    readonly stream: boolean
    readonly timeoutSeconds: number
    /** Without it the service is not asked to cache. */
    readonly promptCache?: boolean | undefined
  }
  readonly api: ModelApi
  readonly context: ModelContext
  readonly maxOutputTokens: number | undefined
  readonly seesPictures: boolean
  /** The model may think for minutes before its first text. */
  readonly isPatient: boolean
}

export function connect(connecting: Connecting): ModelClient {
  const { kind, settings, api, context, maxOutputTokens } = connecting
  const reached = reacher(kind, () => context.endpoint(kind.endpoint))
  const refusals = context.cacheRefusals ?? new Set()
  const targetAt = ({ baseUrl, key }: Endpoint, shown: string | undefined): ModelTarget => ({
    url: `${baseUrl}${api.path}`,
    headers: { ...api.headers, ...(key !== undefined && { authorization: `Bearer ${shown}` }) },
  })
  const { post } = context
  return {
    provider: kind.provider,
    name: settings.name,
    encode: api.encode,
    seesPictures: connecting.seesPictures,
    cachesPrompt() {
      if (!settings.promptCache) return false
      // Asked before every request, so the address is looked up only where it matters.
      if (!kind.cachesWhereSet && refusals.size === 0) return true
      const place = reached()
      if (!place.ok || refusals.has(refusalKey(place.endpoint))) return false
      return !kind.cachesWhereSet || place.endpoint.promptCache === true
    },
    target(key) {
      const place = reached()
      return place.ok ? targetAt(place.endpoint, key) : undefined
    },
    stream(body, signal) {
      const place = reached()
      if (!place.ok) return only({ type: 'fault', fault: settingsFault(place.message) })
      const { endpoint, site } = place
      const retell = (fault: ModelFault) => {
        const told = body.includes(api.cache.mark)
          ? cacheFault(fault, { kind, about: api.cache.about })
          : fault
        if (told !== fault) refusals.add(refusalKey(endpoint))
        return api.retell?.(told, body) ?? told
      }
      return converse({
        site,
        waits: waitsOf(endpoint, connecting),
        stream: settings.stream,
        fetch: context.fetch,
        signal,
        hearing: api.hearing({ out: new ChunkBuffer(retell), site, asked: body, maxOutputTokens }),
        async send(how) {
          const client = await api.makeClient(endpoint, how)
          return await client.post(api.path, { body, headers: api.headers, signal: how.signal }).asResponse()
        },
        ...(post !== undefined && {
          post: (ends: AbortSignal) => post({ ...targetAt(endpoint, endpoint.key), body, signal: ends }),
        }),
      })
    },
  }
}

async function* only(chunk: ModelChunk): AsyncGenerator<ModelChunk> {
  yield chunk
}

/** Another address under the same name may cache. */
function refusalKey({ name, baseUrl }: Endpoint): string {
  return `${name} ${baseUrl}`
}

/** If a service rejects the request for caching, the next attempt is made without it. */
function cacheFault(
  fault: ModelFault,
  { kind, about }: { readonly kind: ModelKind; readonly about: RegExp },
): ModelFault {
  const { code, message } = fault
  if (code !== 'bad_request' || !about.test(message)) return fault
  const why = `${kind.label} does not support requests to cache the prompt, so the request is repeated without that option. ${message}`
  return { ...fault, code: 'cache_refused', message: why, retry: 'now' }
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
