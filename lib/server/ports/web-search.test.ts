import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AppError } from '#lib/spec/errors'
import { closedPorts } from '#lib/spec/ports.fixture'
import type { SettingsStore } from '#lib/spec/store'
import { type SearchEngine, searchEngines } from '#lib/spec/web-search'
import { context } from '#lib/tools/tools.fixture'
import { webSearch } from '#lib/tools/web-search'
import { type SearchServer, startSearchServer } from '#lib/web/search.fixture'
import type { Vault } from '../secrets/secrets'
import { createWebSearch, createWebSearchRegistry, searchSecret, type WebSearch } from './web-search'

const forever = new AbortController().signal
const found = [
  {
    title: 'River lengths',
    url: 'https://example.org/rivers',
    snippet: 'The  Nile is\nlong.',
    published: '2026-01-02',
  },
  { title: '', url: 'https://example.org/untitled', snippet: '' },
  { title: 'A trap', url: 'javascript:alert(1)', snippet: 'never shown' },
]
const query = { query: 'long rivers', count: 5 }

/** Secrets of a person, without encryption. */
function memoryVault(): Pick<Vault, 'get' | 'open' | 'save' | 'remove'> {
  const rows = new Map<string, { value: string; origins: readonly string[] }>()
  const row = (name: string) => ({
    ...{ name, sealed: '', hint: 'hint', createdAt: 0, updatedAt: 0 },
    origins: [...(rows.get(name)?.origins ?? [])],
  })
  return {
    get: (name) => (rows.has(name) ? (row(name) as never) : undefined), // cast: the parts that are read
    open: (name, origin) => {
      const known = rows.get(name)
      if (known === undefined) return { ok: false, why: 'missing', problem: 'There is none.' }
      if (known.origins.includes(origin)) return { ok: true, value: known.value }
      return { ok: false, why: 'origin', problem: `The secret ${name} may not be sent to ${origin}.` }
    },
    save: ({ name, value = '', origins = [] }) => {
      rows.set(name, { value, origins })
      return row(name) as never // cast: nobody reads it
    },
    remove: (name) => rows.delete(name),
  }
}

function house() {
  const kept = new Map<string, unknown>()
  const settings = {
    get: (name: string) => kept.get(name),
    set: (name: string, value: unknown) => void kept.set(name, value),
  } as SettingsStore // cast: the parts that are used
  const vault = memoryVault() as Vault // cast: the parts that are used
  const now = () => 1_000
  const search = createWebSearch({ settings, vault, environment: {}, now })
  return { search, vault, registry: createWebSearchRegistry({ settings, vault, search, now }) }
}

let server: SearchServer
let made: ReturnType<typeof house>
beforeEach(async () => {
  made = house()
})
afterEach(async () => {
  made.search.close()
  await server?.close()
})

async function setUp(engine: SearchEngine): Promise<WebSearch> {
  server = await startSearchServer(engine, () => found)
  made.registry.save({ engine, baseUrl: server.baseUrl, ...(engine !== 'searxng' && { key: 'SEC-key' }) })
  return made.search
}

describe('a search', () => {
  test.each(searchEngines)('asks %s in its own form and reads its results', async (engine) => {
    const search = await setUp(engine)
    const answer = await search.search({ ...query, freshness: 'week', language: 'en' }, forever)
    expect(answer).toEqual({
      ok: true,
      engine,
      results: [
        {
          ...{ title: 'River lengths', url: 'https://example.org/rivers' },
          ...{ snippet: 'The Nile is long.', published: '2026-01-02' },
        },
        { title: 'https://example.org/untitled', url: 'https://example.org/untitled', snippet: '' },
      ],
    })
    const [asked] = server.asked
    const form = {
      searxng: { path: '/search', q: 'long rivers', key: undefined, newer: 'week', method: 'GET' },
      brave: { path: '/web/search', q: 'long rivers', key: 'SEC-key', newer: 'pw', method: 'GET' },
      tavily: { path: '/search', q: 'long rivers', key: 'Bearer SEC-key', newer: 'week', method: 'POST' },
    }[engine]
    const body = asked?.body ? JSON.parse(asked.body) : {}
    expect({
      path: asked?.url.pathname,
      q: body.query ?? asked?.url.searchParams.get('q'),
      key: asked?.headers['x-subscription-token'] ?? asked?.headers.authorization,
      newer:
        body.time_range ??
        asked?.url.searchParams.get('time_range') ??
        asked?.url.searchParams.get('freshness'),
      method: asked?.method,
    }).toEqual(form)
  })

  test.each(searchEngines)('of %s without results is no failure', async (engine) => {
    server = await startSearchServer(engine, () => [])
    made.registry.save({ engine, baseUrl: server.baseUrl, key: 'SEC-key' })
    expect(await made.search.search(query, forever)).toEqual({ ok: true, engine, results: [] })
  })

  const faults = [
    ['401', 'auth', false, 'refused the key'],
    ['429', 'rate_limit', true, 'too many requests'],
    ['500', 'http_status', true, 'status 500'],
    ['html', 'not_results', false, 'text/html'],
    ['broken json', 'not_results', false, 'application/json'],
    ['other json', 'not_results', false, 'Check its address'],
    ['10 MB', 'too_large', false, 'could not be asked'],
    ['a bomb', 'too_large', false, 'could not be asked'],
    ['redirect', 'redirects', false, 'redirected'],
    ['gone', 'connection', true, 'could not be asked'],
  ] as const
  test.each(searchEngines.flatMap((engine) => faults.map((fault) => [engine, ...fault] as const)))(
    'T23 T27 of %s that meets %s says so in one sentence',
    async (engine, fault, code, retryable, words) => {
      const search = await setUp(engine)
      if (fault === 'gone') await server.close()
      server.instead = (_request, response) => {
        const type = (value: string) => ({ 'content-type': value })
        if (fault === '401' || fault === '500') response.writeHead(Number(fault)).end('{}')
        else if (fault === '429') response.writeHead(429, { 'retry-after': '7' }).end('{}')
        else if (fault === 'html') response.writeHead(200, type('text/html')).end('<html>Sign in</html>')
        else if (fault === 'broken json')
          response.writeHead(200, type('application/json')).end('{"results": [')
        else if (fault === 'other json') response.writeHead(200, type('application/json')).end('{"hello": 1}')
        else if (fault === '10 MB')
          response.writeHead(200, type('application/json')).end(' '.repeat(10_000_000))
        else if (fault === 'a bomb')
          response
            .writeHead(200, { ...type('application/json'), 'content-encoding': 'gzip' })
            .end(gzipSync(Buffer.alloc(20_000_000)))
        else response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end()
      }
      const answer = await search.search(query, forever)
      expect(answer).toMatchObject({ ok: false, code, retryable, message: expect.stringContaining(words) })
      expect(JSON.stringify(answer)).not.toContain('SEC-key')
      if (fault === '429') expect(answer).toMatchObject({ retryAfterMs: 7_000 })
    },
  )

  test('ends when it is stopped while the service says nothing', async () => {
    const search = await setUp('searxng')
    server.instead = () => {}
    const stop = new AbortController()
    const going = search.search(query, stop.signal)
    stop.abort()
    expect(await going).toMatchObject({ ok: false, code: 'aborted' })
  })

  test('goes on while another address is tested', async () => {
    const search = await setUp('searxng')
    const other = await startSearchServer('searxng', () => found)
    let answer = () => {}
    server.instead = (_request, response) => {
      answer = () => response.end(JSON.stringify({ results: [] }))
    }
    const searching = search.search(query, forever)
    await expect.poll(() => server.asked.length).toBe(1)
    const typed = { engine: 'searxng', baseUrl: other.baseUrl } as const
    expect(await made.registry.test(typed, forever)).toMatchObject({ ok: true })
    answer()
    expect(await searching).toMatchObject({ ok: true, results: [] })
    await other.close()
  })

  test('of a SearXNG without JSON says what to change there', async () => {
    const search = await setUp('searxng')
    server.instead = (_request, response) => void response.writeHead(403).end('Forbidden')
    expect(await search.search(query, forever)).toMatchObject({
      message: expect.stringContaining('search.formats'),
    })
  })
})

describe('web search', () => {
  test('is not there until somebody sets it up, and says how', async () => {
    expect(made.search.lack()).toContain('Settings → Web search')
    expect(made.registry.view()).toEqual({ engine: null, from: null, baseUrl: null, key: null })
    expect(await made.search.search(query, forever)).toMatchObject({ ok: false, code: 'unavailable' })
  })

  test('sends a key only to the address that it was entered for', async () => {
    await setUp('tavily')
    const other = await startSearchServer('tavily', () => found)
    expect(() => made.registry.save({ engine: 'tavily', baseUrl: other.baseUrl })).toThrow(
      'Enter the key again',
    )
    expect(await made.registry.test({ engine: 'tavily', baseUrl: other.baseUrl }, forever)).toMatchObject({
      ok: false,
    })
    expect(other.asked).toEqual([])
    await other.close()
  })

  test('refuses an address that is none, and one that it needs', () => {
    const refusal = (request: Parameters<typeof made.registry.save>[0]) => {
      try {
        made.registry.save(request)
      } catch (error) {
        return (error as AppError).detail?.path // cast: a registry throws nothing else
      }
      return 'saved'
    }
    expect(refusal({ engine: 'searxng' })).toBe('baseUrl')
    expect(refusal({ engine: 'searxng', baseUrl: 'file:///etc/passwd' })).toBe('baseUrl')
    expect(refusal({ engine: 'searxng', baseUrl: 'http://user:pass@127.0.0.1/' })).toBe('baseUrl')
    expect(refusal({ engine: 'brave' })).toBe('key')
  })

  test('is tested with what is typed, which is not stored', async () => {
    server = await startSearchServer('brave', () => found)
    const typed = { engine: 'brave', baseUrl: server.baseUrl, key: 'typed' } as const
    expect(await made.registry.test(typed, forever)).toMatchObject({
      ok: true,
      results: 2,
      title: 'River lengths',
    })
    expect(made.registry.view().engine).toBeNull()
    expect(made.vault.get(searchSecret('brave'))).toBeUndefined()
  })

  test('is removed with its key', async () => {
    await setUp('brave')
    expect(made.registry.view()).toMatchObject({ engine: 'brave', from: 'settings', key: { hint: 'hint' } })
    expect(made.registry.remove().engine).toBeNull()
    expect(made.vault.get(searchSecret('brave'))).toBeUndefined()
    expect(() => made.registry.remove()).toThrow('No web search is set up')
  })

  test('comes from the environment, which needs no settings', async () => {
    server = await startSearchServer('tavily', () => found)
    const environment = { tavily: { baseUrl: server.baseUrl, key: 'from-env' } }
    const search = createWebSearch({ environment, now: () => 0 })
    expect(search.lack()).toBeUndefined()
    expect(await search.search(query, forever)).toMatchObject({ ok: true, engine: 'tavily' })
    expect(server.asked[0]?.headers.authorization).toBe('Bearer from-env')
    search.close()
  })
})

describe('the tool web.search', () => {
  test('numbers its results, and says when there are none', async () => {
    const search = await setUp('searxng')
    const given = { ...context(), ports: { ...closedPorts, search } }
    const output = await webSearch.run({ query: 'long rivers' }, given)
    expect(output).toMatchObject({
      ok: true,
      blocks: [
        {
          text: '[1] River lengths\nhttps://example.org/rivers\n2026-01-02\nThe Nile is long.\n\n[2] https://example.org/untitled\nhttps://example.org/untitled',
        },
      ],
      metadata: { engine: 'searxng', results: 2 },
    })
    server.instead = (_request, response) => void response.end('{"results": []}')
    expect(await webSearch.run({ query: 'nothing' }, given)).toMatchObject({
      blocks: [{ text: 'SearXNG found nothing for “nothing”.' }],
    })
  })

  test('is refused with the way to set it up where there is no search', async () => {
    expect(await webSearch.run({ query: 'x' }, context())).toMatchObject({ ok: false, code: 'unavailable' })
  })
})
