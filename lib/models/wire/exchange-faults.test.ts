import { beforeAll, describe, expect, test } from 'vitest'
import type { ModelFault } from '#lib/spec/model'
import { chat, faultOf, local, messages, services } from './clients.fixture'
import { bytes, key, loadClients, service, sse } from './hear.fixture'

beforeAll(loadClients, 60_000)

describe('L3: a refusal', () => {
  const openaiError = (type: string, code: string | null, message: string) =>
    JSON.stringify({ error: { message, type, param: null, code } })
  const anthropicError = (type: string, message: string) =>
    JSON.stringify({ type: 'error', error: { type, message }, request_id: 'req_1' })

  test.each<[number, string, Partial<ModelFault>, Record<string, string>?]>([
    [
      401,
      openaiError('invalid_request_error', 'invalid_api_key', 'Incorrect API key provided'),
      { code: 'auth' },
    ],
    [401, anthropicError('authentication_error', 'invalid x-api-key'), { code: 'auth' }],
    [403, anthropicError('permission_error', 'no access'), { code: 'auth' }],
    [
      400,
      '[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]',
      { code: 'auth' },
    ],
    [402, '{"error":{"message":"Insufficient Balance"}}', { code: 'quota' }],
    [
      429,
      openaiError('insufficient_quota', 'insufficient_quota', 'You exceeded your current quota'),
      { code: 'quota' },
    ],
    [400, anthropicError('invalid_request_error', 'Your credit balance is too low'), { code: 'quota' }],
    [
      429,
      openaiError('requests', 'rate_limit_exceeded', 'Rate limit reached'),
      { code: 'rate_limit', retry: 'backoff' },
    ],
    [429, '', { code: 'rate_limit', retry: 'backoff', retryAfterMs: 2_000 }, { 'retry-after': '2' }],
    [429, '', { code: 'rate_limit', retry: 'backoff' }, { 'retry-after': '-1' }],
    [429, '', { code: 'rate_limit' }, { 'x-should-retry': 'false' }],
    [
      404,
      openaiError('invalid_request_error', 'model_not_found', 'The model `x` does not exist'),
      { code: 'not_found' },
    ],
    [404, '{"detail":"Not Found"}', { code: 'not_found' }],
    [
      400,
      openaiError(
        'invalid_request_error',
        'context_length_exceeded',
        'This model has a maximum context length',
      ),
      { code: 'context_length' },
    ],
    [
      400,
      anthropicError('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
      { code: 'context_length' },
    ],
    [
      413,
      anthropicError('request_too_large', 'Request exceeds the maximum size'),
      { code: 'context_length' },
    ],
    [
      400,
      openaiError('invalid_request_error', null, 'temperature is not supported'),
      { code: 'bad_request' },
    ],
    [422, '{"detail":[{"loc":["body"],"msg":"field required"}]}', { code: 'bad_request' }],
    [408, '', { code: 'timeout', retry: 'backoff' }],
    [500, anthropicError('api_error', 'Internal server error'), { code: 'http', retry: 'backoff' }],
    [501, '', { code: 'http' }],
    [
      502,
      '<html><head><title>x</title></head><body><h1>Bad gateway</h1></body></html>',
      { code: 'http', retry: 'backoff' },
    ],
    [503, '', { code: 'http', retry: 'backoff', retryAfterMs: 9_000 }, { 'retry-after': '9' }],
    [529, anthropicError('overloaded_error', 'Overloaded'), { code: 'overloaded', retry: 'backoff' }],
    [307, '', { code: 'http' }, { location: 'https://elsewhere.example/' }],
  ])('%i %s is told as %j', async (status, body, expected, headers = {}) => {
    for (const [, connect] of services) {
      const context = service(() => new Response(body, { status, headers }))
      const fault = await faultOf(connect(context))
      expect(fault).toEqual({ retry: undefined, ...expected, status, message: expect.any(String) })
      expect(fault.message.length).toBeLessThanOrEqual(500)
      expect(context.asked.length).toBe(1)
    }
  })

  test.each([
    'Trying to keep the first 4532 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens.',
    'The input length exceeds the context length.',
  ])(
    'of a dialogue that is too long is known by its words, whatever status comes with them: %s',
    async (message) => {
      const told = JSON.stringify({ error: { message } })
      const inStream = service(() => sse([bytes(`event: error\ndata: ${told}\n\n`)]))
      const failed = service(() => new Response(told, { status: 500 }))
      for (const context of [inStream, failed]) {
        const fault = await faultOf(local(context))
        expect([fault.code, fault.retry]).toEqual(['context_length', undefined])
      }
      const busy = service(() => new Response(told, { status: 429 }))
      expect((await faultOf(local(busy))).code).toBe('rate_limit')
    },
  )

  test('says what the provider says, and what to do', async () => {
    const context = service(() => new Response('{"error":{"message":"No such key"}}', { status: 401 }))
    expect((await faultOf(chat(context))).message).toBe(
      'OpenAI refused the key (HTTP 401). Check it under Settings. It says: No such key',
    )
    expect((await faultOf(local(context))).message).toContain('lab refused the key')
    const page = service(
      () => new Response(`<h1>Bad\n gateway</h1><script>x</script>${'y'.repeat(9_999)}`, { status: 502 }),
    )
    const { message } = await faultOf(chat(page))
    expect(message).toMatch(/^OpenAI failed \(HTTP 502\)\. It says: Bad gateway y+…$/)
    expect(message.length).toBeLessThan(260)
  })

  test('T42: never tells the key, nor anything that looks like one', async () => {
    const leaks = [
      key,
      'sk-proj-abcdefghijklmnop',
      'sk-ant-api03-abcdefgh',
      'AIzaSyA1234567890abcdefgh',
      'Bearer abcdefghijkl',
      'sk-pr******cdef',
    ]
    for (const status of [400, 401, 429, 500]) {
      const body = JSON.stringify({ error: { message: `Bad key: ${leaks.join(', ')}` } })
      const told = [
        await faultOf(chat(service(() => new Response(body, { status })))),
        await faultOf(chat(service(() => Promise.reject(new Error(`failed with ${leaks.join(' ')}`))))),
        await faultOf(chat(service(() => sse([bytes(`data: {oops ${leaks.join(' ')}\n\n`)])))),
        await faultOf(messages(service(() => sse([bytes(`data: {"type":"error","error":${body}}\n\n`)])))),
      ]
      const text = JSON.stringify(told)
      for (const leak of leaks) expect(text).not.toContain(leak.replace('Bearer ', ''))
    }
  })

  test('T42: never tells the half of a key that a cut has left', async () => {
    const plain = 'Zm9vYmFyYmF6cXV4MDEyMzQ1Njc4OQ'
    for (const before of [170, 185, 195]) {
      const body = JSON.stringify({ error: { message: `${'x'.repeat(before)} ${plain}` } })
      const endpoint = { name: 'lab', baseUrl: 'http://127.0.0.1:1234/v1', key: plain }
      const { message } = await faultOf(local(service(() => new Response(body, { status: 500 }), endpoint)))
      expect(message).not.toContain(plain.slice(0, 4))
    }
  })

  test('with a body that never ends is told by what came', async () => {
    const endless = () =>
      new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(bytes('no '.repeat(999))) })
    const fault = await faultOf(chat(service(() => new Response(endless(), { status: 400 }))))
    expect(fault.message).toContain('no no no')
  })
})

describe('L2 L19: a connection', () => {
  const failing = (code: string) =>
    service(() =>
      Promise.reject(
        new TypeError('fetch failed', { cause: Object.assign(new Error(`it was ${code}`), { code }) }),
      ),
    )

  test.each([
    ['ECONNRESET', { code: 'connection', retry: 'now' }, 'broke before an answer'],
    ['UND_ERR_SOCKET', { code: 'connection', retry: 'now' }, 'broke before an answer'],
    ['ECONNREFUSED', { code: 'connection', retry: 'backoff' }, 'Start the server there'],
    ['ENOTFOUND', { code: 'connection', retry: 'backoff' }, 'was not found'],
    ['EAI_AGAIN', { code: 'connection', retry: 'backoff' }, 'was not found'],
    ['ETIMEDOUT', { code: 'timeout', retry: 'backoff' }, 'in time'],
    ['UND_ERR_CONNECT_TIMEOUT', { code: 'timeout', retry: 'backoff' }, 'in time'],
    ['CERT_HAS_EXPIRED', { code: 'connection' }, 'certificate'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', { code: 'connection' }, 'certificate'],
    ['ESOMETHING', { code: 'connection', retry: 'backoff' }, 'it was ESOMETHING'],
  ])('that fails with %s is told as %j', async (code, expected, words) => {
    for (const [, connect] of services) {
      const context = failing(code)
      const fault = await faultOf(connect(context))
      expect(fault).toEqual({ ...expected, message: expect.stringContaining(words) })
      expect(context.asked.length).toBe(1)
    }
  })
  test('to a port that no request is sent to is not tried again', async () => {
    for (const [, connect] of services) {
      const refused = new TypeError('fetch failed', { cause: new Error('bad port') })
      const fault = await faultOf(connect(service(() => Promise.reject(refused))))
      expect(fault).toEqual({ code: 'settings', message: expect.stringContaining('Set another port') })
    }
  })
})
