/** Asks a service for its list of models, which also shows whether the address and the key are right. */
import { isObject, type JsonValue, tryParseJson } from '#lib/spec/json'
import type { Endpoint, ModelContext, Probe } from '#lib/spec/model'
import type { MakeClient } from './wire/clients'
import { snippet, wordsOfBody } from './wire/fault-words'
import { aborted, faultAt, faultOfRefusal, protocolFault, type Site, settingsFault } from './wire/faults'
import { listIn, textIn } from './wire/json'
import { keepFailure } from './wire/keep-failure'
import { faultOfConnection } from './wire/network-faults'
import { type Asked, reach } from './wire/reachable'
import { maxReply, textOf } from './wire/reply'

const maxModels = 1_000
const maxPages = 5
/** For all pages together. */
const timeoutMs = 20_000

export interface Probing {
  readonly kind: Asked
  readonly endpoint: Endpoint
  readonly context: Pick<ModelContext, 'fetch'>
  readonly signal: AbortSignal
}

interface Listing {
  readonly first: string
  readonly makeClient: MakeClient
  /** The path of the next page. */
  next(page: JsonValue): string | undefined
}

export async function probe(
  { kind, endpoint, context, signal }: Probing,
  { first, makeClient, next }: Listing,
): Promise<Probe> {
  const place = reach(kind, endpoint)
  if (!place.ok) return { ok: false, fault: settingsFault(place.message) }
  const { site } = place
  const late = AbortSignal.timeout(timeoutMs)
  const asking: Asking = {
    site,
    context,
    endpoint: place.endpoint,
    makeClient,
    signal: AbortSignal.any([signal, late]),
    stopped: signal,
    late,
  }
  const models = new Set<string>()
  let path: string | undefined = first
  for (let page = 0; page < maxPages && path !== undefined && models.size < maxModels; page++) {
    const read = await pageAt(path, asking)
    if (!read.ok) return read
    for (const id of read.ids) if (models.size < maxModels) models.add(id)
    path = next(read.page)
  }
  return { ok: true, models: [...models].sort() }
}

interface Asking extends Pick<Probing, 'endpoint' | 'context'>, Pick<Listing, 'makeClient'> {
  readonly site: Site
  readonly signal: AbortSignal
  readonly stopped: AbortSignal
  readonly late: AbortSignal
}

type Page =
  | { readonly ok: true; readonly page: JsonValue; readonly ids: readonly string[] }
  | Extract<Probe, { ok: false }>

async function pageAt(
  path: string,
  { site, context, endpoint, makeClient, signal, stopped, late }: Asking,
): Promise<Page> {
  const door = keepFailure(context.fetch)
  try {
    const client = await makeClient(endpoint, { fetch: door.fetch, timeoutMs })
    const response = await client.get(path, { signal }).asResponse()
    const text = response.body === null ? '' : await textOf(response.body.getReader(), maxReply)
    const page = tryParseJson(text ?? '')
    const ids = page === undefined ? undefined : idsIn(page)
    if (page !== undefined && ids !== undefined) return { ok: true, page, ids }
    return { ok: false, fault: protocolFault(site, 'returned no list of its models.', snippet(text ?? '')) }
  } catch (error) {
    if (stopped.aborted) return { ok: false, fault: aborted }
    if (door.refused !== undefined) {
      const { status, headers, body } = door.refused
      return { ok: false, fault: faultOfRefusal(site, { status, headers, words: wordsOfBody(body) }) }
    }
    if (late.aborted) {
      const message = `${site.label} did not list its models within ${timeoutMs / 1_000} seconds.`
      return { ok: false, fault: faultAt(site, { code: 'timeout', message, retry: 'backoff' }) }
    }
    return { ok: false, fault: faultOfConnection(site, door.broken ?? error) }
  }
}

/** Undefined if the page is not a list of models. */
function idsIn(page: JsonValue): string[] | undefined {
  if (isObject(page) && !Array.isArray(page.data) && !Array.isArray(page.models)) return undefined
  if (!isObject(page) && !Array.isArray(page)) return undefined
  const items = Array.isArray(page) ? page : [...listIn(page, 'data'), ...listIn(page, 'models')]
  const ids = items.map((each) => (isObject(each) ? textIn(each, 'id') || textIn(each, 'name') : ''))
  return ids.filter((id) => id !== '' && id.length <= 200)
}
