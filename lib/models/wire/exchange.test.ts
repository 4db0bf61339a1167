import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Endpoint, ModelContext } from '#lib/spec/model'
import { chat, faultOf, local, messages, responses, services } from './clients.fixture'
import {
  bodyOf,
  bytes,
  dataEvents,
  heard,
  key,
  loadClients,
  request,
  type Service,
  service,
  sse,
} from './hear.fixture'

beforeAll(loadClients, 60_000)

const good = dataEvents([
  { choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] },
  '[DONE]',
])

afterEach(() => vi.unstubAllEnvs())

const paths = {
  openai: '/v1/chat/completions',
  anthropic: '/v1/messages',
  'openai-responses': '/v1/responses',
}

describe('a request', () => {
  const told = ({ asked: [first] }: Service) => ({
    ...first,
    headers: Object.fromEntries(first?.headers ?? []),
  })

  test('T44 is the encoded body, sent with the key by the official client and nothing of the environment', async () => {
    for (const name of [
      'OPENAI_ORG_ID',
      'OPENAI_PROJECT_ID',
      'OPENAI_ADMIN_KEY',
      'OPENAI_API_KEY',
      'OPENAI_BASE_URL',
    ])
      vi.stubEnv(name, 'from-the-environment')
    for (const name of ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL'])
      vi.stubEnv(name, 'from-the-environment')
    for (const name of ['OPENAI_CUSTOM_HEADERS', 'ANTHROPIC_CUSTOM_HEADERS'])
      vi.stubEnv(name, 'Authorization: Bearer of-the-environment\nX-Corporate: of-the-environment')
    for (const [name, connect] of services) {
      const context = service(() => sse([bytes(good)]))
      const client = connect(context)
      await heard(client)
      const { url, method, body, headers } = told(context)
      const path = paths[name]
      expect([method, url]).toEqual(['POST', `https://models.example${path}`])
      expect(body).toBe(client.encode(request))
      expect(headers).toMatchObject({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })
      expect(JSON.stringify(headers)).not.toContain('environment')
    }
  })

  test('has no authorization at all where there is no key', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'other')
    vi.stubEnv('ANTHROPIC_API_KEY', 'other')
    for (const [name, connect] of [...services, ['local', local] as const]) {
      for (const none of [{}, { key: '' }]) {
        const context = service(() => sse([bytes(good)]), { name, baseUrl: 'http://127.0.0.1:9/v1', ...none })
        await heard(connect(context))
        const { headers } = told(context)
        expect(Object.keys(headers)).not.toContain('authorization')
        expect(JSON.stringify(headers)).not.toMatch(/none|other/)
      }
    }
  })

  test('with a temperature goes to the version of the API that takes one', async () => {
    const version = async (settings: object) => {
      const context = service(() => sse([bytes(good)]))
      await heard(messages(context, settings))
      return told(context).headers['anthropic-version']
    }
    expect(await version({ temperature: 0 })).toBe('2023-06-01')
    expect(await version({ topP: 1 })).toBe('2023-06-01')
    expect(await version({})).not.toBe('2023-06-01')
  })

  test('takes the key that stands when it is made', async () => {
    let endpoint: Endpoint = { name: 'openai', baseUrl: 'https://models.example/v1', key: 'first-key' }
    const context = service(() => sse([bytes(good)]))
    const client = chat({ ...context, endpoint: () => endpoint })
    await heard(client)
    endpoint = { ...endpoint, key: 'second-key' }
    await heard(client)
    expect(context.asked.map((each) => each.headers.get('authorization'))).toEqual([
      'Bearer first-key',
      'Bearer second-key',
    ])
  })

  test.each<[Endpoint | undefined, string]>([
    [undefined, 'No address is set'],
    [{ name: 'x', baseUrl: '' }, 'No address is set'],
    [{ name: 'x', baseUrl: 'not a url', key }, 'is not a valid URL'],
    // The server says of each endpoint whether it is the address of a service and has no key.
    [{ name: 'x', baseUrl: 'https://api.openai.com/v1', lacksKey: true }, 'no key'],
    [{ name: 'x', baseUrl: 'https://api.anthropic.com', key: '', lacksKey: true }, 'no key'],
  ])('is not made without an address or the key a service asks for: %j', async (endpoint, words) => {
    for (const connect of [chat, messages, local, responses]) {
      const context = { ...service(() => sse([bytes(good)])), endpoint: () => endpoint }
      const fault = await faultOf(connect(context))
      expect(fault).toEqual({ code: 'settings', message: expect.stringContaining(words) })
      expect(fault.message).toContain('Settings')
      expect(context.asked).toEqual([])
    }
  })

  test.each([
    [chat, 'https://api.openai.com/v1'],
    [responses, 'https://api.openai.com/v1'],
    [messages, 'https://api.anthropic.com'],
  ])(
    'is not made without a key at the provider’s own address, whatever the server says',
    async (connect, baseUrl) => {
      const context = {
        ...service(() => sse([bytes(good)])),
        endpoint: () => ({ name: 'x', baseUrl, key: '' }),
      }
      expect(await faultOf(connect(context))).toMatchObject({ code: 'settings' })
      expect(context.asked).toEqual([])
    },
  )
})

describe('L5 L6: an answer', () => {
  const quick: Endpoint = {
    name: 'openai',
    baseUrl: 'https://models.example/v1',
    key,
    waits: { headersMs: 60, firstContentMs: 80, betweenMs: 100 },
  }
  const silence = (signal: AbortSignal) =>
    new Promise<Response>((_, reject) => {
      signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
    })

  test('that never begins is given up', async () => {
    for (const [, connect] of services)
      expect(await faultOf(connect(service((_, signal) => silence(signal), quick)))).toMatchObject({
        code: 'timeout',
        retry: 'backoff',
        message: expect.stringContaining('within 0.06 seconds'),
      })
  })

  test('that never says a word is stalled, and one that stops in the middle as well', async () => {
    const first = bytes(good.slice(0, good.indexOf('data: [DONE]')).replace('"stop"', 'null'))
    for (const [reads, words] of [
      [[], 'sent nothing of its answer for 0.08 seconds'],
      [[first], 'sent nothing for 0.1 seconds in the middle of its answer'],
    ] as const)
      expect(await faultOf(chat(service(() => sse(reads, 'open'), quick)))).toEqual({
        code: 'stalled',
        retry: 'backoff',
        message: expect.stringContaining(words),
      })
  })

  test('L9 that has said why it ends is whole, though its connection stays open without the end mark', async () => {
    const first = bytes(good.slice(0, good.indexOf('data: [DONE]')))
    const chunks = await heard(chat(service(() => sse([first], 'open'), quick)))
    expect(chunks.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' })
  })

  test('is not kept alive by pings, comments and empty deltas', async () => {
    const noise = [
      ': ping\n\n',
      'event: ping\ndata: {"type":"ping"}\n\n',
      dataEvents([{ choices: [{ delta: { content: '' } }] }]),
    ]
    for (const [, connect] of services) {
      let count = 0
      const pinging = new ReadableStream<Uint8Array>({
        async pull(controller) {
          await new Promise((resolve) => setTimeout(resolve, 10))
          controller.enqueue(bytes(noise[count++ % noise.length] ?? ''))
        },
      })
      const context = service(
        () => new Response(pinging, { headers: { 'content-type': 'text/event-stream' } }),
        quick,
      )
      expect(await faultOf(connect(context))).toMatchObject({ code: 'stalled' })
    }
  })

  test('without streaming may take its whole time limit', async () => {
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 150))
      return Response.json({ choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] })
    }
    expect((await heard(chat(service(slow, quick), { stream: false }))).at(-1)).toMatchObject({
      type: 'finish',
    })
  })
})

describe('L13: instead of a stream', () => {
  const answering = (body: string, type: string) =>
    service(() => new Response(body, { headers: { 'content-type': type } }))

  test('a web page is a fault that shows how it begins', async () => {
    const page =
      '<!doctype html><html><head><title>t</title></head><body>Sign <b>in</b> to\n the hotel</body></html>'
    for (const stream of [true, false])
      expect(await faultOf(chat(answering(page, 'text/html; charset=utf-8'), { stream }))).toEqual({
        code: 'protocol',
        message: expect.stringContaining('It begins: Sign in to the hotel'),
      })
  })

  test('JSON is taken when it is a whole answer', async () => {
    const whole = '{"choices":[{"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}'
    expect(await heard(chat(answering(whole, 'application/json')))).toMatchObject([
      { type: 'text', text: 'Hi' },
      { type: 'finish' },
    ])
    expect(
      await heard(
        messages(answering('{"type":"message","content":[{"type":"text","text":"Hi"}]}', 'application/json')),
      ),
    ).toMatchObject([{ type: 'text', text: 'Hi' }, { type: 'finish' }])
  })

  test.each([
    ['{"status":"ok"}', 'application/json', 'protocol'],
    ['{"choices":[{"mess', 'application/json', 'cut'],
    ['{"error":{"type":"overloaded_error","message":"x"}}', 'application/json', 'overloaded'],
    ['just words', 'text/plain', 'protocol'],
    ['', 'text/plain', 'cut'],
    ['[]', 'application/json', 'protocol'],
  ])('%s as %s is a fault of %s', async (body, type, code) => {
    for (const [, connect] of services)
      expect(await faultOf(connect(answering(body, type)))).toMatchObject({ code })
  })

  test('E-25: an answer without choices is an empty one', async () => {
    expect(await heard(chat(answering('{"choices":[]}', 'application/json')))).toMatchObject([
      { type: 'finish', reason: 'stop' },
    ])
  })
})

describe('L15: an answer that is too large', () => {
  const endless = (piece: string) =>
    service(
      () =>
        new Response(
          new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(bytes(piece)) }),
          {
            headers: { 'content-type': 'text/event-stream' },
          },
        ),
    )

  test('ends as a fault, as one event and as many', async () => {
    const delta = dataEvents([{ choices: [{ index: 0, delta: { content: 'x'.repeat(60_000) } }] }])
    expect(await faultOf(chat(endless('x'.repeat(65_536))))).toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('1 MiB'),
    })
    expect(await faultOf(chat(endless(delta)))).toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('8 MiB'),
    })
  })

  test('ends as a fault without streaming too', async () => {
    const context = service(
      () => new Response(bodyOf(Array.from({ length: 150 }, () => bytes(' '.repeat(65_536))))),
    )
    expect(await faultOf(chat(context, { stream: false }))).toMatchObject({ code: 'too_large' })
  })
})

describe('over a real connection', () => {
  async function serving(
    answer: http.RequestListener,
    run: (context: ModelContext) => Promise<void>,
  ): Promise<void> {
    const server = http.createServer(answer)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // cast: a server that listens on a port has such an address
    const endpoint = { name: 'openai', baseUrl: `http://127.0.0.1:${port}/v1`, key }
    try {
      await run({ sleep: async () => {}, endpoint: () => endpoint, fetch })
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }

  test('the bytes are those that were encoded', async () => {
    let got = Buffer.alloc(0)
    const answer: http.RequestListener = (incoming, outgoing) => {
      const reads: Buffer[] = []
      incoming.on('data', (read: Buffer) => reads.push(read))
      incoming.on('end', () => {
        got = Buffer.concat(reads)
        outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).end(good)
      })
    }
    await serving(answer, async (context) => {
      for (const [, connect] of services) {
        const client = connect(context)
        const given = { messages: [{ role: 'user', text: 'Grüße 👋 \ud800' }] } as const
        await heard(client, given)
        expect(got.equals(Buffer.from(client.encode({ ...request, ...given })))).toBe(true)
      }
    })
  })

  test.each([['before the headers'], ['in mid-stream']])(
    'a cancel %s closes the socket at once',
    async (when) => {
      let closed: () => void = () => {}
      const isClosed = new Promise<void>((resolve) => {
        closed = resolve
      })
      const abort = new AbortController()
      const answer: http.RequestListener = (incoming, outgoing) => {
        incoming.socket.on('close', closed)
        if (when === 'before the headers') abort.abort()
        else
          outgoing
            .writeHead(200, { 'content-type': 'text/event-stream' })
            .write(good.slice(0, good.indexOf('data: [DONE]')))
      }
      await serving(answer, async (context) => {
        const client = chat(context)
        const chunks: string[] = []
        for await (const chunk of client.stream(client.encode(request), abort.signal)) {
          chunks.push(chunk.type === 'fault' ? chunk.fault.code : chunk.type)
          abort.abort()
        }
        expect(chunks.at(-1)).toBe('aborted')
        await isClosed
      })
    },
  )

  test('one that nobody hears to its end is closed, one that has finished serves again', async () => {
    const sockets = new Set<unknown>()
    let isOpen = true
    let isLong = false
    const answer: http.RequestListener = (incoming, outgoing) => {
      sockets.add(incoming.socket)
      incoming.socket.on('close', () => {
        isOpen = false
      })
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
      if (isLong) outgoing.write(good.replace('"stop"', 'null').slice(0, good.indexOf('data: [DONE]')))
      else outgoing.end(good)
    }
    await serving(answer, async (context) => {
      const client = chat(context)
      for (let turn = 0; turn < 3; turn++) {
        // Stops at the finish, as the loop does.
        for await (const chunk of client.stream(client.encode(request), new AbortController().signal))
          if (chunk.type === 'finish') break
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      expect([sockets.size, isOpen]).toEqual([1, true])
      isLong = true
      for await (const _ of client.stream(client.encode(request), new AbortController().signal)) break
      await vi.waitFor(() => expect(isOpen).toBe(false), 10_000)
    })
  })
})
