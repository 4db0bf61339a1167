import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { createGuardedStream } from './guarded-stream'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

async function listen(answer: RequestListener): Promise<{ origin: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = []
  const server: Server = createServer((request, response) => {
    requests.push(request)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  })
  const address = server.address()
  return { origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, requests }
}

function fetchFor(entered: string, allow: string[] = []) {
  const stream = createGuardedStream({ allow })
  open.push(stream)
  return stream.fetchFor(entered)
}

describe('the guarded client for answers that are read as they come', () => {
  test('reaches a private address that the operator has entered, and reads its answer piece by piece', async () => {
    const { origin } = await listen((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: 1\n\n')
    })
    const response = await fetchFor(`${origin}/mcp`)(`${origin}/mcp`, { method: 'POST', body: '{}' })
    const reader = response.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n')
    await reader?.cancel()
  })

  test('T22 reaches no other private address, nor another port of the same host', async () => {
    const [entered, other] = [await listen((_, r) => r.end()), await listen((_, r) => r.end())]
    await expect(fetchFor(entered.origin)(other.origin)).rejects.toThrow('private')
    for (const address of [
      'http://localhost/',
      'http://169.254.169.254/',
      'http://[::1]/',
      'http://10.0.0.1/',
    ])
      await expect(fetchFor('https://mcp.example.com/')(address)).rejects.toThrow('private')
    expect(other.requests).toEqual([])
  })

  test.each(['file:///etc/passwd', 'ftp://example.com/', 'http://me:pw@example.com/', 'no address'])(
    'T26 does not request %s',
    async (address) => {
      await expect(fetchFor('https://mcp.example.com/')(address)).rejects.toThrow()
    },
  )

  test('T23 a redirect to a private address is not followed', async () => {
    const target = await listen((_, response) => response.end())
    const { origin } = await listen((_, response) =>
      response.writeHead(302, { location: target.origin }).end(),
    )
    await expect(fetchFor(origin)(origin)).rejects.toThrow('private')
    expect(target.requests).toEqual([])
  })

  test('T23 no header goes on to another origin, and no body', async () => {
    const target = await listen((_, response) => response.end('ok'))
    const status = { now: 302 }
    const { origin } = await listen((_, r) => r.writeHead(status.now, { location: target.origin }).end())
    const allowed = fetchFor(origin, [new URL(target.origin).host])
    const headers = { authorization: 'Bearer x', 'x-api-key': 'y' }
    expect(await (await allowed(origin, { headers })).text()).toBe('ok')
    expect(target.requests[0]?.headers).not.toHaveProperty('authorization')
    expect(target.requests[0]?.headers).not.toHaveProperty('x-api-key')
    status.now = 307
    await expect(allowed(origin, { method: 'POST', body: '{}', headers })).rejects.toThrow('not meant for')
    expect(target.requests).toHaveLength(1)
  })

  test('a redirect inside one origin keeps the body and the headers', async () => {
    const { origin, requests } = await listen((request, response) => {
      if (request.url === '/a') response.writeHead(308, { location: '/b' }).end()
      else request.pipe(response)
    })
    const response = await fetchFor(origin)(`${origin}/a`, {
      method: 'POST',
      body: 'text',
      headers: { 'x-key': 'k' },
    })
    expect(await response.text()).toBe('text')
    expect(requests[1]?.headers['x-key']).toBe('k')
  })

  test('an endless chain of redirects ends', async () => {
    const { origin, requests } = await listen((_, r) => r.writeHead(302, { location: '/again' }).end())
    await expect(fetchFor(origin)(origin)).rejects.toThrow('more than 5 times')
    expect(requests).toHaveLength(6)
  })

  test('a request ends with its signal', async () => {
    const { origin } = await listen(() => undefined)
    const asked = fetchFor(origin)(origin, { signal: AbortSignal.timeout(50) })
    await expect(asked).rejects.toThrow()
  })
})
