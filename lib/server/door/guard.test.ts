import { describe, expect, test } from 'vitest'
import type { AgentKeyRow } from '#lib/spec/agent-key'
import { createGuard, type DoorRules, type Knock } from './guard'
import { cookieName, cookieValue } from './token'

type Headers = Record<string, string | string[]>

function knock(headers: Headers = {}, { method = 'GET', target = '/api/agents' } = {}): Knock {
  const all: Headers = { host: '127.0.0.1:3000', ...headers }
  return { method, target, header: (name) => [all[name] ?? []].flat() }
}

function verdict(headers: Headers, asked?: { method?: string; target?: string }, rules: DoorRules = {}) {
  const given = createGuard(rules)(knock(headers, asked))
  return given.ok ? 'ok' : given.code
}

const post = { method: 'POST', target: '/api/agents' }
const page = { target: '/agents/1' }
const json = { 'content-type': 'application/json' }

describe('T13 T14 the Host header', () => {
  test.each(['localhost', 'localhost:3000', '127.0.0.1', '127.0.0.1:80', '[::1]', '[::1]:65535'])(
    '%s is good',
    (host) => {
      expect(verdict({ host })).toBe('ok')
      expect(verdict({ host }, page)).toBe('ok')
    },
  )

  test.each<[string, string | string[]]>([
    ['foreign', 'evil.test'],
    ['foreign with the port', 'evil.test:3000'],
    ['a name that begins like ours', 'localhost.evil.test'],
    ['a name that ends like ours', 'evil-localhost'],
    ['an address that begins like ours', '127.0.0.1.evil.test'],
    ['a fragment', '127.0.0.1#@e'],
    ['a fragment behind a port', '127.0.0.1:3000#@evil.test'],
    ['a path', '127.0.0.1:3000/evil'],
    ['a query', '127.0.0.1?x'],
    ['user information', 'user@127.0.0.1'],
    ['user information with a password', 'localhost:3000@evil.test'],
    ['a tab', '127.0.0.1\t'],
    ['a tab before', '\t127.0.0.1'],
    ['a space before', ' 127.0.0.1'],
    ['a line end', '127.0.0.1\n'],
    ['two hosts', ['127.0.0.1', 'evil.test']],
    ['the same host twice', ['127.0.0.1', '127.0.0.1']],
    ['two hosts in one', '127.0.0.1, evil.test'],
    ['no host', []],
    ['an empty host', ''],
    ['capitals', 'LOCALHOST'],
    ['a trailing dot', 'localhost.'],
    ['a trailing dot before the port', '127.0.0.1.:3000'],
    ['an empty port', '127.0.0.1:'],
    ['a port with a zero', '127.0.0.1:03000'],
    ['a port with letters', '127.0.0.1:30a'],
    ['a port too long', '127.0.0.1:300000'],
    ['another loopback address', '127.0.0.2'],
    ['a short address', '127.1'],
    ['a decimal address', '2130706433'],
    ['an octal address', '0177.0.0.1'],
    ['any address', '0.0.0.0:3000'],
    ['an embedded address', '[::ffff:127.0.0.1]'],
    ['an address without brackets', '::1'],
    ['a percent sign', '127.0.0.1%00'],
    ['a backslash', '127.0.0.1\\@evil.test'],
  ])('refused: %s', (_, host) => {
    expect(verdict({ host })).toBe('forbidden_host')
    expect(verdict({ host }, page)).toBe('forbidden_host')
    expect(verdict({ host }, { target: '/api/health' })).toBe('forbidden_host')
    expect(verdict({ host }, { target: '/_next/static/x.js' })).toBe('forbidden_host')
  })

  test('the public address is good besides, exactly as it is said', () => {
    const rules = { publicOrigin: 'https://agents.example.com' }
    expect(verdict({ host: 'agents.example.com' }, page, rules)).toBe('ok')
    expect(verdict({ host: 'localhost:3000' }, page, rules)).toBe('ok')
    expect(verdict({ host: 'agents.example.com:8443' }, page, rules)).toBe('forbidden_host')
    expect(verdict({ host: 'x.agents.example.com' }, page, rules)).toBe('forbidden_host')
    expect(verdict({ host: 'agents.example.com' }, page)).toBe('forbidden_host')
  })
})

describe('the address asked for', () => {
  test.each(['/', '/api/agents', '/api/agents/x?y=//z', '/agents/1#x', '/_next/static/chunks/a%20b.js'])(
    '%s is plain',
    (target) => {
      expect(verdict({}, { target })).toBe('ok')
    },
  )

  test.each([
    'http://evil.test/',
    'http://127.0.0.1:9/api',
    '//evil.test/',
    '/\\evil.test',
    '/api\\agents',
    '/api%2fagents',
    '/a%5Cb',
    '/a%00',
    '*',
    '',
    `/${'x'.repeat(9_000)}`,
  ])('T18 refused: %s', (target) => {
    expect(verdict({}, { target })).toBe('bad_request')
  })
})

describe('T15 the Origin header', () => {
  test.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'https://localhost'])(
    '%s is good',
    (origin) => {
      expect(verdict({ origin, ...json }, post)).toBe('ok')
    },
  )

  test.each<[string | string[]]>([
    ['null'],
    [''],
    ['http://evil.test'],
    ['https://localhost.evil.test'],
    ['http://localhost:3000/'],
    ['http://localhost:3000@evil.test'],
    ['ftp://localhost'],
    ['file://'],
    ['chrome-extension://abc'],
    ['HTTP://LOCALHOST'],
    [['http://localhost:3000', 'http://evil.test']],
    ['http://localhost:3000, http://evil.test'],
  ])('refused: %s', (origin) => {
    expect(verdict({ origin, ...json }, post)).toBe('forbidden_origin')
    expect(verdict({ origin })).toBe('forbidden_origin')
    expect(verdict({ origin }, page)).toBe('forbidden_origin')
  })

  test('the public origin is good with its own scheme alone', () => {
    const rules = { publicOrigin: 'https://agents.example.com' }
    expect(verdict({ origin: 'https://agents.example.com', ...json }, post, rules)).toBe('ok')
    expect(verdict({ origin: 'http://agents.example.com', ...json }, post, rules)).toBe('forbidden_origin')
  })
})

describe('T15 requests that another site starts', () => {
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

  test.each(['same-origin', 'none'])('%s is ours', (site) => {
    expect(verdict({ 'sec-fetch-site': site })).toBe('ok')
    expect(verdict({ 'sec-fetch-site': site, ...json }, post)).toBe('ok')
  })

  test.each(['cross-site', 'same-site', 'anything', ''])(
    '%s is refused for the API and for what a page embeds',
    (site) => {
      const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
      expect(verdict(headers)).toBe('forbidden_origin')
      expect(verdict(headers, page)).toBe('forbidden_origin')
      expect(verdict({ ...headers, ...json }, post)).toBe('forbidden_origin')
    },
  )

  test.each(['cross-site', 'same-site'])('a plain link to a page opens, %s', (site) => {
    expect(verdict({ ...link, 'sec-fetch-site': site }, page)).toBe('ok')
    expect(verdict({ ...link, 'sec-fetch-site': site }, { ...page, method: 'HEAD' })).toBe('ok')
  })

  test('a link to the API does not, nor a frame, nor a form sent to a page', () => {
    expect(verdict(link)).toBe('forbidden_origin')
    expect(verdict(link, { target: '/api' })).toBe('forbidden_origin')
    expect(verdict(link, { target: '/API/agents' })).toBe('forbidden_origin')
    expect(verdict({ ...link, 'sec-fetch-dest': 'iframe' }, page)).toBe('forbidden_origin')
    expect(verdict(link, { ...page, method: 'POST' })).toBe('forbidden_origin')
    expect(verdict({ ...link, 'sec-fetch-site': ['same-origin', 'cross-site'] }, { target: '/api' })).toBe(
      'forbidden_origin',
    )
  })
})

describe('methods and bodies', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s goes to the API alone', (method) => {
    expect(verdict(json, { method, target: '/api/agents/1' })).toBe('ok')
    expect(verdict(json, { method, target: '/agents/1' })).toBe('method_not_allowed')
    expect(verdict(json, { method, target: '/apis' })).toBe('method_not_allowed')
  })

  test.each(['TRACE', 'CONNECT', 'PROPFIND', 'get', ''])('%s goes nowhere', (method) => {
    expect(verdict({}, { method, target: '/api/agents' })).toBe('method_not_allowed')
  })

  test('T18 only in development may Next post to itself', () => {
    const target = '/__nextjs_original-stack-frames'
    expect(verdict(json, { method: 'POST', target })).toBe('method_not_allowed')
    expect(verdict(json, { method: 'POST', target }, { dev: true })).toBe('ok')
    expect(verdict({ ...json, origin: 'http://evil.test' }, { method: 'POST', target }, { dev: true })).toBe(
      'forbidden_origin',
    )
  })

  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ])('a body as %s is taken', (kind) => {
    expect(verdict({ 'content-type': kind, 'content-length': '2' }, post)).toBe('ok')
  })

  test.each<[string | string[]]>([
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['text/plain'],
    ['text/plain; application/json'],
    ['text/plain, application/json'],
    ['application/json, text/plain'],
    ['application/jsonp'],
    ['application/json; charset=utf-16'],
    [''],
    [['text/plain', 'application/json']],
  ])('T15 T31 a body as %s is not', (kind) => {
    expect(verdict({ 'content-type': kind, 'content-length': '2' }, post)).toBe('unsupported_media_type')
    expect(verdict({ 'content-type': kind }, post)).toBe('unsupported_media_type')
  })

  const files = { method: 'POST', target: '/api/threads/thread_1/files?name=a.csv' }
  test.each<[string | string[], string]>([
    ['application/octet-stream', 'ok'],
    ['application/json', 'ok'],
    ['text/csv; charset=utf-8', 'ok'],
    ['text/plain', 'unsupported_media_type'],
    ['Text/Plain;charset=UTF-8', 'unsupported_media_type'],
    ['multipart/form-data; boundary=x', 'unsupported_media_type'],
    ['application/x-www-form-urlencoded', 'unsupported_media_type'],
    ['', 'unsupported_media_type'],
    ['bytes', 'unsupported_media_type'],
    [['text/csv', 'text/plain'], 'unsupported_media_type'],
  ])('T15 T31 a file sent as %s: %s', (kind, expected) => {
    expect(verdict({ 'content-type': kind, 'content-length': '2' }, files)).toBe(expected)
    const other = { ...files, method: 'PUT' }
    if (kind !== 'application/json')
      expect(verdict({ 'content-type': kind, 'content-length': '2' }, other)).toBe('unsupported_media_type')
  })

  test('T15 a file without a word about its kind, or from elsewhere, is not taken', () => {
    expect(verdict({ 'content-length': '2' }, files)).toBe('unsupported_media_type')
    const bytes = { 'content-type': 'application/octet-stream' }
    expect(verdict({ ...bytes, origin: 'https://evil.test' }, files)).toBe('forbidden_origin')
    expect(verdict({ ...bytes, 'sec-fetch-site': 'cross-site' }, files)).toBe('forbidden_origin')
  })

  test('a body without a word about its kind is not taken, no body needs none', () => {
    expect(verdict({ 'content-length': '2' }, post)).toBe('unsupported_media_type')
    expect(verdict({ 'transfer-encoding': 'chunked' }, post)).toBe('unsupported_media_type')
    expect(verdict({ 'content-length': '0' }, post)).toBe('ok')
    expect(verdict({}, post)).toBe('ok')
  })

  test('T18 reading takes no body', () => {
    expect(verdict({ 'content-length': '5', ...json })).toBe('bad_request')
    expect(verdict({ 'transfer-encoding': 'chunked', ...json }, page)).toBe('bad_request')
    expect(verdict({ 'content-length': '0' }, page)).toBe('ok')
  })
})

describe('T11 the token', () => {
  const rules = { token: 'correct-horse-battery-staple' }
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

  test('without one set nobody is asked', () => {
    expect(verdict({})).toBe('ok')
    expect(verdict(bearer('whatever'))).toBe('ok')
  })

  test('the right one comes in, as bearer or as the cookie that follows from it', () => {
    expect(verdict(bearer(rules.token), undefined, rules)).toBe('ok')
    expect(verdict({ authorization: `bearer ${rules.token}` }, undefined, rules)).toBe('ok')
    expect(verdict({ cookie: `a=b; ${cookieName}=${cookieValue(rules.token)}` }, page, rules)).toBe('ok')
  })

  test.each<[string, Headers]>([
    ['none', {}],
    ['an empty one', bearer('')],
    ['a wrong one', bearer('x')],
    ['the beginning of it', bearer(rules.token.slice(0, -1))],
    ['more than it', bearer(`${rules.token}x`)],
    ['8 KB', bearer('x'.repeat(8_192))],
    ['T20 an injection', bearer("' OR '1'='1")],
    ['another scheme', { authorization: `Basic ${rules.token}` }],
    ['two of them', { authorization: [`Bearer ${rules.token}`, 'Bearer x'] }],
    ['the token itself as cookie', { cookie: `${cookieName}=${rules.token}` }],
    ['the cookie as bearer', bearer(cookieValue(rules.token))],
    ['the cookie of another token', { cookie: `${cookieName}=${cookieValue('other')}` }],
    ['an empty cookie', { cookie: `${cookieName}=` }],
    ['an inner header of the framework', { 'x-middleware-subrequest': 'middleware' }],
  ])('refused: %s', (_, headers) => {
    for (const target of [
      '/',
      '/agents/1',
      '/api/agents',
      '/api/runs/1/events',
      '/schema/agent-v1.json',
      '/_next/data/x',
      '/nothing',
    ]) {
      expect(verdict(headers, { target }, rules)).toBe('unauthorized')
    }
    expect(verdict({ ...headers, ...json }, post, rules)).toBe('unauthorized')
  })

  test('health, signing in and the files of pages are open; nothing that only looks like them is', () => {
    for (const target of ['/api/health', '/api/health?x=1', '/api/session', '/_next/static/chunks/a-1.js']) {
      expect(verdict({}, { target }, rules)).toBe('ok')
    }
    for (const target of [
      '/api/health/',
      '/api/healthy',
      '/api/Health',
      '/_next/static',
      '/_next/image?url=x',
      '/_next/staticx/a',
    ]) {
      expect(verdict({}, { target }, rules)).toBe('unauthorized')
    }
  })

  test('the page that authorization servers send people back to is open for reading, with what it needs', () => {
    const cross = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    }
    const back = '/settings/mcp/callback?code=a&state=b'
    expect(verdict(cross, { target: back }, rules)).toBe('ok')
    expect(verdict({}, { target: '/api/mcp-sign-in/client' }, rules)).toBe('ok')
    expect(verdict(json, { method: 'POST', target: '/api/mcp-sign-in' }, rules)).toBe('ok')
    for (const target of ['/settings', '/settings/mcp', '/settings/mcp/callback/', '/api/mcp-sign-in/x'])
      expect(verdict({}, { target }, rules)).toBe('unauthorized')
    // Another site may not finish a sign-in, and may not begin one.
    for (const target of ['/api/mcp-sign-in', '/api/mcp-servers/a/sign-in'])
      expect(verdict({ ...json, ...cross }, { method: 'POST', target }, rules)).toBe('forbidden_origin')
  })

  test('a good token does not excuse a foreign host or origin', () => {
    expect(verdict({ ...bearer(rules.token), host: 'evil.test' }, undefined, rules)).toBe('forbidden_host')
    expect(verdict({ ...bearer(rules.token), origin: 'null' }, undefined, rules)).toBe('forbidden_origin')
  })
})

describe('agent keys', () => {
  const token = 'correct-horse-battery-staple'
  const key = `lwk_${'k'.repeat(43)}`
  const bearer = { authorization: `Bearer ${key}` }
  const cookie = `${cookieName}=${cookieValue(token)}`
  // Only its id is looked at here.
  const row = { id: 'key_1' } as AgentKeyRow
  const guard = createGuard({
    token,
    findKey: (text) => (text === key ? { ok: true, value: row } : { ok: false, error: 'unknown' }),
  })
  const judge = (headers: Headers, target = '/api/agents') => {
    const given = guard(knock(headers, { target }))
    return given.ok ? given.key?.id : given.code
  }

  test('a known key comes in as itself, whatever cookie is with it, and an unknown one does not', () => {
    expect([judge(bearer), judge({ ...bearer, cookie })]).toEqual(['key_1', 'key_1'])
    const unknown = { authorization: `Bearer lwk_${'x'.repeat(43)}` }
    expect([judge(unknown), judge({ ...unknown, cookie })]).toEqual(['unauthorized', 'unauthorized'])
    expect(verdict(unknown)).toBe('unauthorized')
  })

  test('a key opens no page, and the page for its holder needs neither key nor token', () => {
    expect([judge(bearer, '/agents/1'), judge(bearer, '/talk/helper')]).toEqual(['forbidden', 'forbidden'])
    expect(guard(knock({}, { target: '/talk/helper' })).ok).toBe(true)
    for (const target of ['/talk', '/talk/', '/talk/a/b', '/talk/..%2e', '/agents/1/talk'])
      expect(guard(knock({}, { target })).ok).toBe(false)
  })

  test('Host and Origin come first', () => {
    expect(judge({ ...bearer, host: 'evil.test' })).toBe('forbidden_host')
    expect(judge({ ...bearer, origin: 'https://evil.test' })).toBe('forbidden_origin')
  })
})
