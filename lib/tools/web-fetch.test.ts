import { describe, expect, test } from 'vitest'
import type { WebAnswer, WebPort } from '#lib/spec/sandbox'
import type { ToolContext } from '#lib/spec/tool'
import type { WallFacts } from '#lib/spec/walls'
import { context } from './tools.fixture'
import { webFetch } from './web-fetch'

interface Given {
  readonly status?: number
  readonly type?: string
  readonly body?: string | Uint8Array
}

function at({ status = 200, type = 'text/html; charset=utf-8', body = '' }: Given): ToolContext {
  const answer: WebAnswer = {
    ok: true,
    value: {
      url: 'https://example.com/',
      status,
      headers: { 'content-type': type },
      body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
    },
  }
  return withWeb({
    fetch: async () => answer,
    readable: async ({ html }) => ({ title: 'T', markdown: html.toUpperCase() }),
  })
}

function withWeb(web: WebPort): ToolContext {
  const plain = context()
  return { ...plain, ports: { ...plain.ports, web } }
}

const get = (given: Given) => webFetch.run({ url: 'https://example.com/' }, at(given))
const textOf = (value: string) => ({ ok: true, blocks: [{ type: 'text', text: value }] })

const wall: WallFacts = { id: 'w', name: 'a wall', strength: 'runtime', promises: ['no network'], gaps: [] }

describe('web.fetch', () => {
  test('T8 tells the wall that a page was read behind, and none for text that needs no reader', async () => {
    const page = { fetch: at({ body: 'words' }).ports.web.fetch }
    const walled = withWeb({ ...page, readable: async () => ({ title: '', markdown: 'words', wall }) })
    expect(await webFetch.run({ url: 'https://example.com/' }, walled)).toMatchObject({
      metadata: { status: 200, wall },
    })
    const plain = await get({ type: 'text/plain', body: 'words' })
    expect(plain.metadata).not.toHaveProperty('wall')
  })

  test('gives a page as its title, its address and its readable text', async () => {
    expect(await get({ body: 'words' })).toMatchObject(textOf('# T\nhttps://example.com/\n\nWORDS'))
  })

  test.each(['text/plain', 'application/json', 'application/ld+json', 'text/csv', 'application/xml', ''])(
    'gives %s as it is',
    async (type) => {
      expect(await get({ type, body: '{"a":1}' })).toMatchObject(textOf('https://example.com/\n\n{"a":1}'))
    },
  )

  test('reads the charset that is named, and the one a page names itself', async () => {
    const umlaut = Uint8Array.from([0xfc])
    expect(await get({ type: 'text/plain; charset=iso-8859-1', body: umlaut })).toMatchObject(
      textOf('https://example.com/\n\nü'),
    )
    const page = Buffer.concat([Buffer.from('<meta charset="windows-1252">'), umlaut])
    const got = await get({ type: 'text/html', body: page })
    expect(JSON.stringify(got)).toContain('Ü')
  })

  test('S4-19 tells where a page came from, and how, beside what the model reads', async () => {
    const mediaType = 'text/plain'
    expect(await get({ type: 'text/plain; charset=utf-8', body: 'words' })).toMatchObject({
      metadata: { url: 'https://example.com/', status: 200, mediaType, bytes: 5 },
    })
    expect(await get({ status: 404, type: mediaType, body: 'none' })).toMatchObject({
      ok: false,
      metadata: { status: 404, bytes: 4 },
    })
  })

  test('refuses what is no text, whatever it is called', async () => {
    expect(await get({ type: 'image/png', body: 'x' })).toMatchObject({ ok: false, code: 'not_text' })
    expect(await get({ type: 'text/plain', body: 'a\0b' })).toMatchObject({ ok: false, code: 'not_text' })
  })

  test('S0-28 tells a failure with its status, and whether trying again may help', async () => {
    expect(await get({ status: 404, type: 'text/plain', body: 'no such page' })).toMatchObject({
      ok: false,
      code: 'http_status',
      message: 'https://example.com/ answered with status 404: no such page',
      retryable: false,
    })
    expect(await get({ status: 503 })).toMatchObject({ ok: false, retryable: true })
    expect(await get({ status: 429 })).toMatchObject({ ok: false, retryable: true })
  })

  test('T22 passes on why the guard refused', async () => {
    const blocked: WebAnswer = { ok: false, code: 'blocked', message: 'private', retryable: false }
    const web = { fetch: async () => blocked, readable: async () => undefined }
    expect(await webFetch.run({ url: 'http://10.0.0.1/' }, withWeb(web))).toEqual(blocked)
  })

  test('says when a page can not be read', async () => {
    const web = { ...at({ body: 'x' }).ports.web, readable: async () => undefined }
    expect(await webFetch.run({ url: 'https://example.com/' }, withWeb(web))).toMatchObject({
      ok: false,
      code: 'unreadable',
    })
  })
})
