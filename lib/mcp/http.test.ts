/** Servers over Streamable HTTP, of both eras, on real connections. */
import { spawn } from 'node:child_process'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { acceptedContent, createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { McpAccess } from './servers'
import { callOf, closeAll, connect, never, npmServer, settingsOf } from './servers.fixture'

const closers: (() => void)[] = []

afterEach(async () => {
  await closeAll()
  for (const close of closers.splice(0)) close()
})

function addressAccess(url: string, headers: Readonly<Record<string, string>> = {}): McpAccess {
  return { ok: true, route: { transport: 'http', url, headers, fetch }, redact: (text) => text }
}

interface Served {
  readonly url: string
  /** The headers of each request, and what it asked for. */
  readonly requests: { readonly method: string; readonly key: string | undefined }[]
  changeTools(): void
}

/** A server of the new era with a few tools, on loopback. */
async function serve({ marks }: { readonly marks: boolean } = { marks: false }): Promise<Served> {
  const requests: Served['requests'] = []
  let extra = false
  const handler = createMcpHandler(() => {
    const server = new McpServer(
      { name: 'modern', version: '2.0.0' },
      { capabilities: { tools: { listChanged: true } } },
    )
    const words = (text: string) => ({ content: [{ type: 'text' as const, text }] })
    server.registerTool('add', { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) =>
      words(`${a + b}`),
    )
    server.registerTool('slow', { inputSchema: z.object({}) }, async (_, ctx) => {
      const token = ctx.mcpReq._meta?.progressToken
      if (token !== undefined)
        await ctx.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken: token, progress: 1, total: 2, message: 'half' },
        })
      await new Promise((resolve) => setTimeout(resolve, 150))
      return words('done')
    })
    server.registerTool('hang', { inputSchema: z.object({}) }, () => new Promise(() => undefined))
    server.registerTool('paint', { inputSchema: z.object({}) }, (_, ctx) => {
      const chosen = acceptedContent<{ colour: string }>(ctx.mcpReq.inputResponses, 'colour')
      if (chosen !== undefined) return words(`painted ${chosen.colour} after ${ctx.mcpReq.requestState()}`)
      const requestedSchema = {
        type: 'object' as const,
        properties: { colour: { type: 'string' as const } },
        required: ['colour'],
      }
      return inputRequired({
        inputRequests: { colour: inputRequired.elicit({ message: 'Which colour?', requestedSchema }) },
        requestState: 'state-1',
      })
    })
    if (marks)
      for (const [name, region] of [
        ['near', 'Region'],
        ['far', 'not a header'],
      ] as const)
        server.registerTool(
          name,
          { inputSchema: z.object({ region: z.string().meta({ 'x-mcp-header': region }) }) },
          ({ region }) => words(`${name} ${region}`),
        )
    if (extra) server.registerTool('late', { inputSchema: z.object({}) }, () => words('late'))
    return server
  })
  const server = http.createServer((request, response) => {
    const key = request.headers['x-key']
    const method = request.headers['mcp-method']
    requests.push({
      method: String(method ?? request.method),
      key: typeof key === 'string' ? key : undefined,
    })
    void answer(handler.fetch, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // cast: it listens on a port
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    requests,
    changeTools: () => {
      extra = true
      handler.notify.toolsChanged()
    },
  }
}

async function answer(
  handle: (request: Request) => Promise<Response>,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const hasBody = request.method === 'POST'
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  const answered = await handle(
    new Request(`http://${request.headers.host}${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      signal: gone.signal,
      ...(hasBody && { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' }), // cast: the same stream by another type
    } as RequestInit), // cast: the type lacks `duplex`
  )
  response.writeHead(answered.status, Object.fromEntries(answered.headers))
  const reader = answered.body?.getReader()
  for (;;) {
    const { value, done = true } = (await reader?.read().catch(() => undefined)) ?? {}
    if (done || response.destroyed) break
    response.write(value)
  }
  response.end()
}

async function modern(given?: Parameters<typeof serve>[0]) {
  const served = await serve(given)
  const settings = settingsOf({ one: addressAccess(served.url, { 'x-key': 'k-1' }) })
  const connections = connect({ servers: settings })
  await connections.connect(['one'], never)
  return { served, settings, connections }
}

describe('a server of the new era', () => {
  test('S1-05 S4-15 lists its tools and answers, and each request has the configured headers', async () => {
    const { served, settings, connections } = await modern()
    expect(settings.reports.at(-1)?.report).toMatchObject({
      state: 'ready',
      info: { name: 'modern', protocol: '2026-07-28' },
    })
    expect(connections.listing('one')?.tools.map(({ name }) => name)).toEqual([
      'add',
      'hang',
      'paint',
      'slow',
    ])
    const sum = await connections.call(callOf('add', { args: { a: 2, b: 3 } }), never)
    expect(sum).toMatchObject({ ok: true, blocks: [{ type: 'text', text: '5' }] })
    expect(served.requests.every(({ key }) => key === 'k-1')).toBe(true)
    expect(served.requests.filter(({ method }) => method === 'tools/call')).toHaveLength(1)
  })

  test('S1-05 a tool whose x-mcp-header is invalid is withheld with the reason, and the others answer', async () => {
    const { connections } = await modern({ marks: true })
    const listing = connections.listing('one')
    expect(listing?.tools.map(({ name }) => name)).toEqual(['add', 'hang', 'near', 'paint', 'slow'])
    expect(listing?.withheld).toEqual([
      { name: 'far', reason: 'its schema has an x-mcp-header that is not the name of a header' },
    ])
    const near = await connections.call(callOf('near', { args: { region: 'Lisbon' } }), never)
    expect(near).toMatchObject({ ok: true, blocks: [{ text: 'near Lisbon' }] })
    expect(await connections.call(callOf('far', { args: { region: 'x' } }), never)).toMatchObject({
      ok: false,
      code: 'mcp_withheld',
    })
  })

  test('arguments that do not fit are an error of the call', async () => {
    const { connections } = await modern()
    expect(await connections.call(callOf('add', { args: { a: 'x' } }), never)).toMatchObject({ ok: false })
  })

  test('shows its progress', async () => {
    const { connections } = await modern()
    const shown: string[] = []
    const done = await connections.call(callOf('slow', { onProgress: (text) => shown.push(text) }), never)
    expect(done).toMatchObject({ ok: true, blocks: [{ text: 'done' }] })
    expect(shown).toEqual(['1 of 2: half\n'])
  })

  test('a question waits as an output, and the call is sent once more with the answer and the state', async () => {
    const { served, connections } = await modern()
    const asks = await connections.call(callOf('paint'), never)
    expect(asks).toMatchObject({
      ok: 'asks',
      questions: [
        {
          inputId: 'colour',
          from: 'server',
          server: 'one',
          question: 'Which colour?',
          schema: { required: ['colour'] },
        },
      ],
      state: { requestState: 'state-1' },
    })
    if (asks.ok !== 'asks') throw new Error('it asks')
    const answered = {
      ...(asks.state !== undefined && { state: asks.state }),
      replies: { colour: { action: 'answer' as const, values: { colour: 'red' } } },
    }
    const done = await connections.call(callOf('paint', { answered }), never)
    expect(done).toMatchObject({ ok: true, blocks: [{ text: 'painted red after state-1' }] })
    expect(served.requests.filter(({ method }) => method === 'tools/call')).toHaveLength(2)
  })

  test('a changed list is read anew', async () => {
    const { served, connections } = await modern()
    served.changeTools()
    await expect.poll(() => connections.listing('one')?.tools.map(({ name }) => name)).toContain('late')
  })

  test('a call that is stopped ends at once', async () => {
    const { connections } = await modern()
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 50)
    expect(await connections.call(callOf('hang'), stop.signal)).toMatchObject({ ok: false, code: 'aborted' })
  })

  test('E-51 a server that goes away in mid-call is one error, and is connected again when it is back', async () => {
    const { connections } = await modern()
    const calling = connections.call(callOf('hang'), never)
    await new Promise((resolve) => setTimeout(resolve, 100))
    for (const close of closers.splice(0)) close()
    expect(await calling).toMatchObject({ ok: false, code: 'mcp_disconnected' })
    expect(await connections.call(callOf('add', { args: { a: 1, b: 1 } }), never)).toMatchObject({
      ok: false,
    })
  })
})

describe('addresses that are no server', () => {
  const answering = async (status: number, body: string) => {
    const server = http.createServer((_, response) => response.writeHead(status).end(body))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(() => server.close())
    const { port } = server.address() as AddressInfo // cast: it listens on a port
    return connect({ servers: settingsOf({ one: addressAccess(`http://127.0.0.1:${port}/`) }) })
  }

  test.each([
    [404, 'not here'],
    [500, 'broken'],
    [200, '<html>hello</html>'],
  ])('status %i is said', async (status, body) => {
    const connections = await answering(status, body)
    const tested = await connections.test('one', never)
    expect(tested).toMatchObject({ ok: false, code: 'mcp_unavailable' })
    expect(tested.ok ? '' : tested.message.length).toBeGreaterThan(10)
  })

  test('a server that asks for a sign-in says so by its code', async () => {
    const connections = await answering(401, '')
    expect(await connections.test('one', never)).toMatchObject({ ok: false, code: 'mcp_sign_in' })
  })

  test('a port on which nothing listens is said', async () => {
    const connections = connect({ servers: settingsOf({ one: addressAccess('http://127.0.0.1:9/mcp') }) })
    expect(await connections.test('one', never)).toMatchObject({ ok: false, code: 'mcp_unavailable' })
  })
})

describe('a server of the old era', () => {
  test('S4-15 server-everything answers over Streamable HTTP', async () => {
    const port = await freePort()
    const { command, args } = npmServer('server-everything', 'streamableHttp')
    const child = spawn(command, args, {
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    closers.push(() => child.kill())
    await new Promise<void>((resolve) =>
      child.stderr.on('data', (text) => String(text).includes('listening') && resolve()),
    )
    const settings = settingsOf({ one: addressAccess(`http://127.0.0.1:${port}/mcp`) })
    const connections = connect({ servers: settings })
    await connections.connect(['one'], never)
    expect(settings.reports.at(-1)?.report).toMatchObject({
      state: 'ready',
      info: { protocol: '2025-11-25' },
    })
    const echo = await connections.call(callOf('echo', { args: { message: 'over http' } }), never)
    expect(echo).toMatchObject({ ok: true, blocks: [{ text: 'Echo: over http' }] })
  })
})

async function freePort(): Promise<number> {
  const server = http.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // cast: it listens on a port
  await new Promise((resolve) => server.close(resolve))
  return port
}
