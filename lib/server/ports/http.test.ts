import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { type Api, callEntry, openApi, type Play } from './http.fixture'

let api: Api
const others: Api[] = []
afterEach(async () => {
  await Promise.all([api, ...others.splice(0)].map((each) => each?.close()))
})

const parameters = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, {}])),
})
const entry = (more: JsonObject) => ({ use: 'http', name: 'call', url: `${api.url}/`, ...more })
const open = async (play: Play = (_request, response) => void response.end('hello')) => {
  api = await openApi(play)
  return { allow: [api.host] }
}
const textOf = (output: unknown) => JSON.stringify(output)

describe('a request of an http entry', () => {
  test('E-57 carries encoded path values, a query, headers and a secret of its own origin', async () => {
    const around = await open((_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end('{"ok":true}')
    })
    const output = await callEntry(
      entry({
        url: `${api.url}/users/{id}?v=1`,
        parameters: parameters('id', 'tags', 'trace', 'absent'),
        query: { tag: { param: 'tags' }, page: '2', none: { param: 'absent' } },
        headers: { 'x-key': { secret: 'KEY', prefix: 'Bearer ' }, 'x-trace': { param: 'trace' } },
      }),
      { id: 'a/b ?#%é', tags: ['x', 'y&z'], trace: 7 },
      { ...around, secrets: { KEY: { value: 'hidden-value', origins: [api.url] } } },
    )
    expect(output).toMatchObject({ ok: true, blocks: [{ type: 'json', value: { ok: true } }] })
    const [seen] = api.received
    expect(seen?.path).toBe('/users/a%2Fb%20%3F%23%25%C3%A9?v=1&tag=x&tag=y%26z&page=2')
    expect(seen?.headers).toMatchObject({ 'x-key': 'Bearer hidden-value', 'x-trace': '7' })
    expect(textOf(output)).not.toContain('hidden-value')
  })

  test('a secret is not sent to an origin that it does not list, and nothing else is either', async () => {
    const around = await open()
    const output = await callEntry(
      entry({ headers: { 'x-key': { secret: 'KEY' } } }),
      {},
      {
        ...around,
        secrets: { KEY: { value: 'hidden-value', origins: ['https://api.example.com'] } },
      },
    )
    expect(output).toMatchObject({ ok: false, code: 'secret' })
    expect(api.received).toEqual([])
  })

  test('an argument that looks like a secret or a parameter is sent as it is', async () => {
    const around = await open()
    const body = { given: { param: 'value' }, key: { secret: 'KEY' }, left: { param: 'absent' } }
    await callEntry(
      entry({ method: 'POST', parameters: parameters('value', 'absent'), body }),
      { value: { secret: 'KEY' } },
      { ...around, secrets: { KEY: { value: 'hidden-value', origins: [api.url] } } },
    )
    expect(JSON.parse(api.received[0]?.body ?? '')).toEqual({ given: { secret: 'KEY' }, key: 'hidden-value' })
    expect(api.received[0]?.headers['content-type']).toBe('application/json')
  })

  test.each([
    [
      'form',
      { name: { param: 'value' }, list: ['1'] },
      'name=a+b%26&list=1',
      'application/x-www-form-urlencoded',
    ],
    ['text', { param: 'value' }, 'a b&', 'text/plain; charset=utf-8'],
    ['text', 'fixed', 'fixed', 'text/plain; charset=utf-8'],
  ])('a body is sent as %s', async (bodyFormat, body, sent, type) => {
    const around = await open()
    const given = entry({ method: 'PUT', parameters: parameters('value'), body, bodyFormat })
    await callEntry(given, { value: 'a b&' }, around)
    expect(api.received[0]).toMatchObject({ body: sent, headers: { 'content-type': type } })
  })

  test.each([
    ['..', 'segment'],
    ['.', 'segment'],
    ['a/../../admin', 'segment'],
    ['a\\..', 'segment'],
    ['%2e%2E', 'segment'],
    ['', 'not empty'],
    ['a\nb', 'control characters'],
    ['a\u0000', 'control characters'],
  ])('a path value %j is refused before anything is sent', async (id, why) => {
    const around = await open()
    const given = entry({ url: `${api.url}/users/{id}`, parameters: parameters('id') })
    expect(await callEntry(given, { id }, around)).toMatchObject({
      ok: false,
      code: 'bad_argument',
      message: expect.stringContaining(why),
    })
    expect(api.received).toEqual([])
  })

  test('a header value with a line break is refused before anything is sent', async () => {
    const around = await open()
    const given = entry({ parameters: parameters('trace'), headers: { 'x-trace': { param: 'trace' } } })
    expect(await callEntry(given, { trace: 'a\r\nx-admin: yes' }, around)).toMatchObject({
      ok: false,
      code: 'bad_argument',
    })
    expect(api.received).toEqual([])
  })
})

describe('the answer to a request of an http entry', () => {
  test('a 404 is an error with its status and the first 2 KiB', async () => {
    const around = await open((_request, response) => {
      response.writeHead(404, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: 'no such city', more: 'x'.repeat(5_000) }))
    })
    const output = await callEntry(entry({}), {}, around)
    expect(output).toMatchObject({ ok: false, code: 'http_status', retryable: false })
    if (output.ok !== false) return
    expect(output.message).toContain(`GET ${api.url}/ answered with status 404: {"error":"no such city"`)
    expect(output.message).toContain('Only the beginning')
    expect(output.message.length).toBeLessThan(2_300)
  })

  test.each([
    [503, '7', 7_000],
    [429, 'Thu, 01 Jan 1970 00:00:09 GMT', 9_000],
    [500, undefined, undefined],
  ])('a %i may pass, and waits as Retry-After says', async (status, header, waitMs) => {
    const around = await open((_request, response) => {
      response.sendDate = false
      if (header !== undefined) response.setHeader('retry-after', header)
      response.writeHead(status)
      response.end()
    })
    const output = await callEntry(entry({}), {}, around)
    expect(output).toMatchObject({ ok: false, retryable: true })
    expect(output.ok === false ? output.retryAfterMs : 'ok').toBe(waitMs)
  })

  test('an answer of 10 MB is one clear error', async () => {
    const around = await open((_request, response) => void response.end('x'.repeat(10 * 1024 * 1024)))
    expect(await callEntry(entry({}), {}, around)).toMatchObject({
      ok: false,
      code: 'too_large',
      message: expect.stringContaining('larger than 2097152 bytes'),
    })
  })

  test('a server that is gone, and one that never answers, are one clear error each', async () => {
    const around = await open(() => undefined)
    const slow = await callEntry(entry({}), {}, { ...around, firstByteMs: 100 })
    expect(slow).toMatchObject({ ok: false, code: 'timeout', retryable: true })
    await api.close()
    const gone = await callEntry(entry({}), {}, around)
    expect(gone).toMatchObject({ ok: false, code: 'connection', retryable: true })
  })

  test('cancelling a call ends its request', async () => {
    const stop = new AbortController()
    let closed: Promise<unknown> = Promise.resolve()
    const around = await open((_request, response) => {
      closed = once(response, 'close')
      stop.abort()
    })
    expect(await callEntry(entry({}), {}, { ...around, signal: stop.signal })).toMatchObject({
      ok: false,
      code: 'aborted',
    })
    await closed
  })

  test('other data than text is kept as a file', async () => {
    const around = await open((_request, response) => {
      response.setHeader('content-type', 'image/png')
      response.end(Buffer.from([137, 80, 78, 71]))
    })
    const kept: unknown[] = []
    const artifacts = {
      keep: async (file: { name: string; mediaType: string }) => {
        kept.push(file.mediaType)
        return { id: 'a', name: file.name, path: null, mediaType: file.mediaType, bytes: 4 }
      },
    }
    const output = await callEntry(
      entry({ url: `${api.url}/map.png` }),
      {},
      { ...around, ports: { artifacts } },
    )
    expect(kept).toEqual(['image/png'])
    expect(textOf(output)).toContain('kept as the file map.png')
  })

  test('HEAD gives the status and the headers', async () => {
    const around = await open((_request, response) => {
      response.setHeader('x-total', '3')
      response.end()
    })
    expect(await callEntry(entry({ method: 'HEAD' }), {}, around)).toMatchObject({
      blocks: [{ value: { status: 200, headers: { 'x-total': '3' } } }],
    })
  })
})

describe('a redirect of an http entry', () => {
  const redirectTo = (url: () => string, status = 302): Play => {
    return (_request, response) => void response.writeHead(status, { location: url() }).end()
  }

  test('T23 to another origin drops the secrets of a request that reads', async () => {
    const other = await openApi((_request, response) => void response.end('other'))
    others.push(other)
    await open(redirectTo(() => `${other.url}/`))
    const output = await callEntry(
      entry({ headers: { 'x-key': { secret: 'KEY' } } }),
      {},
      {
        allow: [api.host, other.host],
        secrets: { KEY: { value: 'hidden-value', origins: [api.url] } },
      },
    )
    expect(output).toMatchObject({ ok: true, blocks: [{ text: 'other' }] })
    expect(textOf(other.received)).not.toContain('hidden-value')
  })

  test.each([
    ['POST', 302],
    ['POST', 307],
    ['DELETE', 303],
    ['PUT', 308],
    ['PATCH', 301],
  ])('T23 of a %s with %i to another origin is not followed', async (method, status) => {
    const other = await openApi((_request, response) => void response.end('other'))
    others.push(other)
    await open(redirectTo(() => `${other.url}/`, status))
    const output = await callEntry(entry({ method }), {}, { allow: [api.host, other.host] })
    expect(output).toMatchObject({ ok: false, code: 'redirects' })
    expect(other.received).toEqual([])
  })

  test('T22 to a private address is refused', async () => {
    const other = await openApi((_request, response) => void response.end('other'))
    others.push(other)
    const around = await open(redirectTo(() => `${other.url}/`))
    expect(await callEntry(entry({}), {}, around)).toMatchObject({ ok: false, code: 'blocked' })
    expect(other.received).toEqual([])
  })
})
