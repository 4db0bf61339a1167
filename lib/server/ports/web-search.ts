/**
 * Web search as it is set up: by the operator's environment, which comes first, or by a person in the settings. The key is a secret of
 * the service's origin.
 */
import { z } from 'zod'
import { AppError, type Result } from '#lib/spec/errors'
import type { SettingsStore } from '#lib/spec/store'
import {
  engineNames,
  noSearchHere,
  type SearchAnswer,
  type SearchEngine,
  type SearchPort,
  type SearchQuery,
  searchEngines,
} from '#lib/spec/web-search'
import { createGuardedFetch, type GuardedFetch } from '#lib/web/guarded-fetch'
import { engineAddresses, needsKey, searchAnswer, searchRequest } from '#lib/web/search'
import type { SaveWebSearch, WebSearchTest, WebSearchView } from '#lib/wire/web-search'
import { readBaseUrl } from '../environment/base-url'
import type { SearchEnvironment } from '../environment/environment-outbound'
import { hintOf, type Vault } from '../secrets/secrets'

const settingsKey = 'web-search'
const stored = z.object({ engine: z.enum(searchEngines), baseUrl: z.string() })
type Stored = z.infer<typeof stored>

export interface WebSearchContext {
  /** Absent where no settings are kept. */
  readonly settings?: Pick<SettingsStore, 'get'>
  readonly vault?: Pick<Vault, 'get' | 'open'>
  readonly environment: SearchEnvironment
  now(): number
}

/** The service in use. */
interface Place extends Stored {
  readonly from: 'settings' | 'environment'
  /** The key, or why it cannot be used. */
  readonly key: Result<string, string>
}

export interface WebSearch extends SearchPort {
  place(): Place | undefined
  /** Searches with a service that need not be the one in use. */
  searchAt(
    place: Pick<Place, 'engine' | 'baseUrl' | 'key'>,
    query: SearchQuery,
    signal: AbortSignal,
  ): Promise<SearchAnswer>
  close(): void
}

/** The name of the secret with the key of a service. */
export function searchSecret(engine: SearchEngine): string {
  return `WEB_SEARCH_${engine.toUpperCase()}_KEY`
}

export function storedSearch(settings: Pick<SettingsStore, 'get'> | undefined): Stored | undefined {
  return stored.safeParse(settings?.get(settingsKey)).data
}

/** What uses a secret as the key of web search, for the list of secrets. */
export function searchUsing(settings: Pick<SettingsStore, 'get'>, secret: string): string[] {
  const kept = storedSearch(settings)
  return kept !== undefined && searchSecret(kept.engine) === secret ? ['web search'] : []
}

export function createWebSearch({ settings, vault, environment, now }: WebSearchContext): WebSearch {
  /** By origin: a test of another address does not end searches that are under way. */
  const clients = new Map<string, GuardedFetch>()

  const place = (): Place | undefined => {
    const engine = searchEngines.find((each) => environment[each] !== undefined)
    const said = engine && environment[engine]
    const baseUrl = engine && (said?.baseUrl ?? engineAddresses[engine])
    if (engine !== undefined && baseUrl)
      return { engine, baseUrl, from: 'environment', key: { ok: true, value: said?.key ?? '' } }
    const kept = storedSearch(settings)
    return kept && { ...kept, from: 'settings', key: keyFor(kept, vault) }
  }

  /** The address that a person entered may be private, as of a SearXNG on this machine. */
  const clientFor = (baseUrl: string): GuardedFetch => {
    const { origin, hostname, port, protocol } = new URL(baseUrl)
    const known = clients.get(origin)
    if (known !== undefined) return known
    const host = hostname.replace(/^\[|\]$|\.$/g, '')
    const client = createGuardedFetch({
      allow: [`${host}:${port || (protocol === 'https:' ? '443' : '80')}`],
      firstByteMs: 0,
    })
    clients.set(origin, client)
    return client
  }

  const searchAt: WebSearch['searchAt'] = async ({ engine, baseUrl, key }, query, signal) => {
    if (!key.ok) return { ok: false, code: 'secret', message: key.error, retryable: false }
    const request = searchRequest(engine, { baseUrl, key: key.value }, query)
    const answer = await clientFor(baseUrl).fetch(request, signal)
    return searchAnswer(engine, answer, { count: query.count, now: now() })
  }

  return {
    place,
    searchAt,
    lack: () => {
      const used = place()
      if (used === undefined) return noSearchHere
      return used.key.ok ? undefined : used.key.error
    },
    async search(query, signal) {
      const used = place()
      if (used !== undefined) return searchAt(used, query, signal)
      return { ok: false, code: 'unavailable', message: noSearchHere, retryable: false }
    },
    close() {
      for (const each of clients.values()) void each.close()
    },
  }
}

function keyFor({ engine, baseUrl }: Stored, vault: WebSearchContext['vault']): Result<string, string> {
  const secret = searchSecret(engine)
  if (vault?.get(secret) === undefined) {
    if (!needsKey[engine]) return { ok: true, value: '' }
    return { ok: false, error: `${engineNames[engine]} needs a key. Enter it under Settings → Web search.` }
  }
  const opened = vault.open(secret, new URL(baseUrl).origin)
  return opened.ok ? { ok: true, value: opened.value } : { ok: false, error: opened.problem }
}

/** The settings of web search, as a person changes them. All methods throw AppErrors. */
export interface WebSearchRegistry {
  view(): WebSearchView
  save(request: SaveWebSearch): WebSearchView
  remove(): WebSearchView
  test(request: SaveWebSearch | undefined, signal: AbortSignal): Promise<WebSearchTest>
}

interface RegistryContext {
  readonly settings: SettingsStore
  readonly vault: Vault
  readonly search: WebSearch
  now(): number
}

const testQuery: SearchQuery = { query: 'weather', count: 3 }

export function createWebSearchRegistry({
  settings,
  vault,
  search,
  now,
}: RegistryContext): WebSearchRegistry {
  const view = (): WebSearchView => {
    const place = search.place()
    if (place === undefined) return { engine: null, from: null, baseUrl: null, key: null }
    const { engine, baseUrl, from, key } = place
    const secret = searchSecret(engine)
    const row = vault.get(secret)
    const typed = key.ok && key.value !== '' ? { hint: hintOf(key.value) } : null
    return {
      engine,
      from,
      baseUrl,
      key: from === 'environment' ? typed : row === undefined ? null : { secret, hint: row.hint },
      ...(!key.ok && { problem: key.error }),
    }
  }
  return {
    view,
    save(request) {
      const kept = placeIn(request)
      const secret = searchSecret(kept.engine)
      const { origin } = new URL(kept.baseUrl)
      if (request.key !== undefined) vault.save({ name: secret, value: request.key, origins: [origin] })
      else {
        const key = keyFor(kept, vault)
        if (!key.ok) throw new AppError('unprocessable', wayToKey(kept, vault), { path: 'key' })
      }
      settings.set(settingsKey, kept)
      return view()
    },
    remove() {
      const kept = storedSearch(settings)
      if (kept === undefined) throw new AppError('not_found', 'No web search is set up in the settings.')
      // The store has no null; an empty object reads as nothing.
      settings.set(settingsKey, {})
      vault.remove(searchSecret(kept.engine))
      return view()
    },
    async test(request, signal) {
      const used = request === undefined ? search.place() : tried(request, vault)
      if (used === undefined) throw new AppError('not_found', noSearchHere)
      const began = now()
      const answer = await search.searchAt(used, testQuery, signal)
      if (!answer.ok) return { ok: false, message: answer.message }
      const [first] = answer.results
      return {
        ok: true,
        durationMs: Math.max(0, now() - began),
        results: answer.results.length,
        ...(first && { title: first.title }),
      }
    },
  }
}

/** What a person has typed, with the stored key where none was typed. */
function tried(request: SaveWebSearch, vault: Vault): Pick<Place, 'engine' | 'baseUrl' | 'key'> {
  const kept = placeIn(request)
  if (request.key !== undefined) return { ...kept, key: { ok: true, value: request.key } }
  const key = keyFor(kept, vault)
  return { ...kept, key: key.ok ? key : { ok: false, error: wayToKey(kept, vault) } }
}

function wayToKey({ engine, baseUrl }: Stored, vault: Vault): string {
  const row = vault.get(searchSecret(engine))
  if (row === undefined) return `${engineNames[engine]} needs a key.`
  const isOther = !row.origins.includes(new URL(baseUrl).origin)
  return isOther
    ? 'Enter the key again: it was entered for another address.'
    : 'The stored key cannot be decrypted; enter it again.'
}

function placeIn({ engine, baseUrl }: SaveWebSearch): Stored {
  const address = baseUrl ?? engineAddresses[engine]
  if (address === null)
    throw new AppError('bad_request', `${engineNames[engine]} needs an address.`, { path: 'baseUrl' })
  const read = readBaseUrl(address)
  if (!read.ok) throw new AppError('bad_request', read.error, { path: 'baseUrl' })
  return { engine, baseUrl: read.value }
}
