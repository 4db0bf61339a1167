import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, request as send } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createDoor, type Door } from './door'
import { createGuard } from './guard'

interface Seen {
  readonly method?: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

let server: Server
let door: Door
let port = 0
let seen: Seen[] = []
let fails = false
let arrived = () => {}

async function open(settings: { token?: string; dev?: boolean } = {}) {
  const { token, dev = false } = settings
  door = createDoor({
    guard: createGuard({ token, dev }),
    dev,
    pass: async (request, response) => {
      if (fails) throw new Error('planted')
      arrived()
      seen.push({ method: request.method, headers: request.headers, body: await text(request) })
      response.end('inside')
    },
    upgrade: (_, socket) => void socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  })
  server = createServer((request, response) => door.enter(request, response))
  server.on('checkContinue', (request, response) => door.enter(request, response, true))
  server.on('upgrade', (request, socket, head) => door.upgrade(request, socket, head))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port // cast: a server on a TCP port has such an address
}

beforeEach(() => {
  seen = []
  arrived = () => {}
  fails = false
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
const post = (body: BodyInit, path = '/api/x') =>
  ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    duplex: 'half',
  } as RequestInit) // cast: Node's fetch requires duplex, but its type does not have it

/** Sends bytes as they are; returns what came back when the other side closes, or once `enough` has come. */
async function raw(bytes: string, enough?: RegExp): Promise<{ said: string; socket: Socket }> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  let said = ''
  socket.write(bytes)
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      said += chunk
      if (enough?.test(said)) resolve()
    })
    socket.on('close', () => resolve())
  })
  return { said, socket }
}

describe('what comes in', () => {
  test('a page gets a policy with a nonce of its own, and Next the same one', async () => {
    await open()
    const [one, two] = [await ask('/'), await ask('/')]
    const policies = [one, two].map((each) => each.headers.get('content-security-policy') ?? '')
    expect(policies[0]).toMatch(/script-src 'nonce-[\w-]{24}' 'strict-dynamic';/)
    expect(policies[0]).not.toBe(policies[1])
    expect(seen.map((each) => each.headers['content-security-policy'])).toEqual(policies)
    expect(policies.join()).not.toMatch(/unsafe-eval|ws:/)
    expect(one.headers.get('cache-control')).toBe('no-store')
    expect(one.headers.get('x-content-type-options')).toBe('nosniff')
    expect(one.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('a body arrives whole, however it is sent', async () => {
    await open()
    const big = JSON.stringify({ text: 'ä'.repeat(200_000) })
    await post(big)
    await post(new Blob([big.slice(0, 100_000), big.slice(100_000)]).stream())
    expect(seen.map((each) => each.body)).toEqual([big, big])
    expect(seen[1]?.headers).toMatchObject({ 'content-length': String(Buffer.byteLength(big)) })
    expect(seen[1]?.headers['transfer-encoding']).toBeUndefined()
  })

  test('T12 T18 what only Next or a proxy may say is taken away', async () => {
    await open()
    const names = [
      'x-middleware-subrequest',
      'next-resume',
      'x-matched-path',
      'x-forwarded-host',
      'forwarded',
      'x-nonce',
      'next-action',
    ]
    await ask('/', {
      headers: {
        ...Object.fromEntries(names.map((name) => [name, 'evil'])),
        'content-security-policy': 'x',
        rsc: '1',
      },
    })
    for (const name of names) expect(seen[0]?.headers[name]).toBeUndefined()
    expect(seen[0]?.headers).toMatchObject({
      rsc: '1',
      'content-security-policy': expect.stringContaining('nonce-'),
    })
  })

  test('a fault of ours is told without its stack', async () => {
    await open()
    fails = true
    const spoken = console.error
    console.error = () => undefined
    const response = await ask('/api/x')
    console.error = spoken
    expect([response.status, await response.json()]).toMatchObject([500, { error: { code: 'internal' } }])
  })
})

describe('what is refused', () => {
  test('T41 a body that is too large, said or sent, is refused and never reaches Next', async () => {
    await open()
    const mebibyte = 'x'.repeat(1024 * 1024)
    const endless = () =>
      new ReadableStream({ pull: (controller) => controller.enqueue(new TextEncoder().encode(mebibyte)) })
    const answers = [
      await post(`${mebibyte}x`),
      await post('x'.repeat(50_000_000)),
      await post(`${mebibyte.repeat(4)}x`, '/api/agents/import'),
    ]
    for (const answer of answers)
      expect([answer.status, (await answer.json()).error.code]).toEqual([413, 'too_large'])
    const cut = await post(endless()).catch(() => undefined)
    expect(cut?.status ?? 413).toBe(413)
    expect(seen).toEqual([])
    expect((await post(mebibyte)).status).toBe(200)
    expect((await post(mebibyte.repeat(4), '/api/agents/import')).status).toBe(200)
    for (const path of ['/api/agents', '/api/agents/agent_1', '/api/compile', '/api/decompile'])
      expect((await post(mebibyte.repeat(5), path)).status).toBe(200)
  })

  test('T31 T41 a file is handed on as it comes, and one that is too large is not', async () => {
    await open()
    const kind = { 'content-type': 'application/octet-stream' }
    const upload = (body: BodyInit) =>
      ask('/api/threads/t/files?name=x', {
        method: 'POST',
        headers: kind,
        body,
        duplex: 'half',
      } as RequestInit) // cast: as above
    let isInside = () => {}
    const inside = new Promise<void>((resolve) => {
      isInside = resolve
    })
    arrived = () => isInside()
    const waiting = new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode('first '))
        // The rest of the body is sent only after the request has passed the door.
        await inside
        controller.enqueue(new TextEncoder().encode('last'))
        controller.close()
      },
    })
    expect((await upload(waiting)).status).toBe(200)
    expect(seen.map((each) => each.body)).toEqual(['first last'])
    const over = await upload(new Uint8Array(50 * 1024 * 1024 + 1))
    expect([over.status, (await over.json()).error.code]).toEqual([413, 'too_large'])
    expect(seen).toHaveLength(1)
  })

  test('what the API answers may do nothing in a browser', async () => {
    await open()
    expect((await ask('/api/artifacts/x')).headers.get('content-security-policy')).toMatch(
      /^sandbox; default-src 'none'/,
    )
  })

  test('T14 a foreign host is refused before its body is read, and cut off soon after', async () => {
    await open()
    const began = performance.now()
    const head =
      'POST /api/x HTTP/1.1\r\nHost: evil.test\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n{'
    const { said, socket } = await raw(head, /forbidden_host/)
    expect(said).toMatch(/^HTTP\/1.1 403 /)
    expect(performance.now() - began).toBeLessThan(10_000)
    if (!socket.destroyed) await once(socket, 'close')
    expect(performance.now() - began).toBeLessThan(20_000)
  })

  test('who asks for leave to send gets it, or the refusal in its place', async () => {
    await open()
    const answer = (host: string) =>
      new Promise<string>((resolve) => {
        const headers = {
          host,
          'content-type': 'application/json',
          'content-length': '2',
          expect: '100-continue',
        }
        const asked = send({
          port,
          host: '127.0.0.1',
          method: 'POST',
          path: '/api/x',
          headers,
          setHost: false,
        })
        asked.on('continue', () => asked.end('{}'))
        asked.on('response', (response) => {
          response.resume()
          resolve(`${response.statusCode} ${asked.writableEnded}`)
        })
        asked.flushHeaders()
      })
    expect(await answer('127.0.0.1')).toBe('200 true')
    expect(await answer('evil.test')).toBe('403 false')
  })

  test.each([
    ['two hosts', 'Host: 127.0.0.1\r\nHost: evil.test\r\n', 403],
    ['a tab in the host', 'Host: 127.0.0.1\t.evil\r\n', 403],
    ['an empty host', 'Host: \r\n', 403],
    ['no host', '', 400],
    ['a host with a fragment', 'Host: 127.0.0.1#@e\r\n', 403],
    ['two origins', 'Host: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\nOrigin: http://evil.test\r\n', 403],
  ])('T13 as raw bytes: %s', async (_, headers, status) => {
    await open()
    const { said } = await raw(`GET / HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)
    expect(said).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(seen).toEqual([])
  })

  test('T18 an upgrade is destroyed in production; in development only a good one goes to Next', async () => {
    const upgrade = (origin: string, target = '/_next/webpack-hmr') =>
      raw(
        `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: ${origin}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      )
    await open()
    expect((await upgrade('http://127.0.0.1')).said).toBe('')
    expect((await upgrade('http://127.0.0.1', 'http://127.0.0.1:9/')).said).toBe('')
    server.close()
    await open({ dev: true })
    expect((await upgrade('http://127.0.0.1')).said).toMatch(/^HTTP\/1.1 101 /)
    expect((await upgrade('http://evil.test')).said).toBe('')
    expect((await ask('/')).headers.get('content-security-policy')).toMatch(/'unsafe-eval'.*ws:/)
  })

  test('without the token a person gets a page to sign in, a program JSON', async () => {
    await open({ token: 'correct-horse-battery-staple' })
    const page = await ask('/agents/1', { headers: { accept: 'text/html' } })
    const html = await page.text()
    expect([page.status, page.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8'])
    const nonce = /'nonce-([\w-]+)'/.exec(page.headers.get('content-security-policy') ?? '')?.[1]
    expect(html.match(/<script[^>]*>/g)).toEqual([`<script nonce="${nonce}">`])
    const program = await ask('/api/agents', { headers: { accept: 'text/html' } })
    expect([program.status, (await program.json()).error.code]).toEqual([401, 'unauthorized'])
    expect(program.headers.get('www-authenticate')).toBe('Bearer')
    expect(seen).toEqual([])
  })

  test('F9 while the server stops everyone is told to come again', async () => {
    await open()
    door.shut()
    const response = await ask('/api/x')
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
    expect(seen).toEqual([])
  })
})
