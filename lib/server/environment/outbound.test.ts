import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { createOutbound } from './outbound'

const outbound = createOutbound()
const servers: http.Server[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})
afterAll(() => outbound.close())

async function serving(answer: http.RequestListener): Promise<{ url: string; server: http.Server }> {
  const server = http.createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // cast: a server that listens on a port has such an address
  return { url: `http://127.0.0.1:${port}`, server }
}

async function textOf(incoming: http.IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of incoming) text += part
  return text
}

describe('the way out to providers', () => {
  test('sends method, path, headers and body as they are given, and tells the answer as it came', async () => {
    const { url } = await serving(async (incoming, outgoing) => {
      const { method, url: path, headers } = incoming
      const told = JSON.stringify({ method, path, key: headers.authorization, body: await textOf(incoming) })
      outgoing.writeHead(429, { 'retry-after': '2', 'set-cookie': ['a=1', 'b=2'] }).end(told)
    })
    const response = await outbound.fetch(`${url}/v1/x?y=1`, {
      method: 'POST',
      headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
      body: 'Grüße 👋',
    })
    expect(response.status).toBe(429)
    expect(response.ok).toBe(false)
    expect(response.headers.get('retry-after')).toBe('2')
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(await response.json()).toEqual({
      method: 'POST',
      path: '/v1/x?y=1',
      key: 'Bearer k',
      body: 'Grüße 👋',
    })
  })

  test('T23 follows no redirect', async () => {
    const { url } = await serving((_, outgoing) =>
      outgoing.writeHead(302, { location: '/else' }).end('moved'),
    )
    const response = await outbound.fetch(url)
    expect([response.status, await response.text()]).toEqual([302, 'moved'])
  })

  test('gives all bytes in order, however large the answer and slow its reader', async () => {
    const sent = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251))
    const { url } = await serving((_, outgoing) => outgoing.end(sent))
    const response = await outbound.fetch(url)
    const parts: Uint8Array[] = []
    const reader = response.body?.getReader()
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
      parts.push(read.value)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(Buffer.concat(parts).equals(sent)).toBe(true)
  })

  test('keeps its connections for the next requests', async () => {
    let connections = 0
    const { url, server } = await serving((_, outgoing) => outgoing.end('x'))
    server.on('connection', () => {
      connections += 1
    })
    for (let turn = 0; turn < 5; turn++) await (await outbound.fetch(url)).text()
    // The first request may still be open when the second one is sent.
    expect(connections).toBeLessThanOrEqual(2)
  })

  test.each([['gzip'], [undefined]])('reads an answer of encoding %s', async (encoding) => {
    const { url } = await serving((incoming, outgoing) => {
      expect(incoming.headers['accept-encoding']).toBe('identity')
      outgoing.writeHead(200, encoding === undefined ? {} : { 'content-encoding': encoding })
      outgoing.end(encoding === undefined ? 'plain' : gzipSync('plain'))
    })
    expect(await (await outbound.fetch(url)).text()).toBe('plain')
  })

  test.each([[204], [304]])('an answer of %d has no body', async (status) => {
    const { url } = await serving((_, outgoing) => outgoing.writeHead(status).end())
    const response = await outbound.fetch(url)
    expect([response.status, response.body]).toEqual([status, null])
  })
})

describe('the way out to providers, broken', () => {
  test('rejects with the code of the connection', async () => {
    const { url, server } = await serving((incoming) => incoming.socket.destroy())
    await expect(outbound.fetch(url)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' })
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await expect(outbound.fetch(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    servers.splice(0)
  })

  test('asks nothing of a port that is kept for another protocol', async () => {
    await expect(outbound.fetch('http://127.0.0.1:6667/')).rejects.toThrow('bad port')
  })

  test('a body that breaks off is an error of its reader', async () => {
    const { url } = await serving((incoming, outgoing) => {
      outgoing.writeHead(200, { 'content-length': '100' }).write('half')
      setTimeout(() => incoming.socket.destroy(), 20)
    })
    const response = await outbound.fetch(url)
    await expect(response.text()).rejects.toThrow()
  })

  test.each([['before the headers'], ['in the body'], ['by its reader']])(
    'an abort %s closes the socket',
    async (when) => {
      const stop = new AbortController()
      let closed: () => void = () => {}
      const isClosed = new Promise<void>((resolve) => {
        closed = resolve
      })
      const { url } = await serving((incoming, outgoing) => {
        incoming.socket.on('close', closed)
        if (when === 'before the headers') stop.abort(new Error('enough'))
        else outgoing.writeHead(200).write('half')
      })
      const asked = outbound.fetch(url, { signal: stop.signal })
      if (when === 'before the headers') await expect(asked).rejects.toThrow('enough')
      else {
        const reader = (await asked).body?.getReader()
        await reader?.read()
        const next = reader?.read()
        if (when === 'by its reader') await reader?.cancel()
        else {
          stop.abort(new Error('enough'))
          await expect(next).rejects.toThrow('enough')
        }
      }
      await isClosed
    },
  )

  test('nothing is sent for a signal that is aborted already', async () => {
    let asked = 0
    const { url } = await serving((_, outgoing) => {
      asked += 1
      outgoing.end()
    })
    await expect(outbound.fetch(url, { signal: AbortSignal.abort('no') })).rejects.toBe('no')
    expect(asked).toBe(0)
  })
})
