import { describe, expect, test } from 'vitest'
import { toJsonSchema } from '#lib/spec/json'
import type { Message } from '#lib/spec/message'
import type { ModelChunk, ModelClient, ModelContext, ModelRequest } from '#lib/spec/model'
import { providers } from '../index'
import { scripted } from './scripted'

const closed = { endpoint: () => undefined, fetch: () => Promise.reject(new Error('no network here')) }
const quick: ModelContext = { ...closed, sleep: async () => {} }
const request: ModelRequest = {
  instructions: 'Be brief.',
  messages: [{ role: 'user', text: 'hi' }],
  tools: [],
  step: 1,
  attempt: 1,
}

function connect(settings: object, context: ModelContext = quick): ModelClient {
  return scripted.connect(scripted.settings.parse(settings), context)
}

async function heard(
  client: ModelClient,
  given: Partial<ModelRequest> = {},
  signal = new AbortController().signal,
): Promise<ModelChunk[]> {
  const chunks: ModelChunk[] = []
  for await (const chunk of client.stream(client.encode({ ...request, ...given }), signal)) chunks.push(chunk)
  return chunks
}

function script(turn: object, more: object = {}): ModelClient {
  return connect({ name: 'script', turns: [turn], ...more })
}

const textOf = (chunks: readonly ModelChunk[], type: 'text' | 'reasoning' | 'call.args') =>
  chunks.map((each) => (each.type === type ? each.text : '')).join('')

describe('every provider', () => {
  test('has an id of its own, and settings that a form can show and that stand when the least is filled in', () => {
    expect(new Set(providers.map((each) => each.id)).size).toBe(providers.length)
    for (const provider of providers) {
      const { properties = {} } = toJsonSchema(provider.settings)
      // A provider with its own address needs no settings; an added endpoint and its model must be named.
      const needed = provider.service?.baseUrl === null ? { endpoint: 'local', name: 'qwen' } : {}
      expect(provider.settings.safeParse(needed).success).toBe(true)
      expect(properties.name?.always).toBe(true)
      for (const property of Object.values(properties))
        expect(property).toMatchObject({ title: expect.any(String) })
    }
  })
})

describe('a written turn', () => {
  const turn = {
    reasoning: 'Let me think.',
    text: 'Hello there, world ',
    calls: [{ name: 'a.b', args: { text: 'grüße 👋👋👋👋👋👋 to all' } }, { name: 'c' }],
  }

  test('is streamed in words and pieces that make up the whole', async () => {
    const chunks = await heard(script(turn))
    expect(textOf(chunks, 'text')).toBe(turn.text)
    expect(textOf(chunks, 'reasoning')).toBe(turn.reasoning)
    expect(chunks.filter((each) => each.type === 'text').length).toBe(4)
    expect(textOf(chunks, 'call.args')).toBe(`${JSON.stringify(turn.calls[0]?.args)}{}`)
    expect(chunks.map((each) => each.type).filter((each, index, all) => each !== all[index - 1])).toEqual([
      'reasoning',
      'text',
      'call.start',
      'call.args',
      'call.end',
      'call.start',
      'call.args',
      'call.end',
      'finish',
    ])
    for (const each of chunks) if ('text' in each) expect(each.text).not.toMatch(/\p{Cs}/u)
    expect(chunks.at(-1)).toMatchObject({ type: 'finish', reason: 'calls' })
  })

  test('comes in one chunk of each kind without streaming', async () => {
    const chunks = await heard(script(turn, { stream: false }))
    expect(chunks.map((each) => each.type)).toEqual([
      'reasoning',
      'text',
      'call.start',
      'call.args',
      'call.end',
      'call.start',
      'call.args',
      'call.end',
      'finish',
    ])
  })

  test('is the one of the step, and after the last the script says that it is over', async () => {
    const client = connect({ name: 'script', turns: [{ text: 'one' }, { text: 'two' }] })
    expect(textOf(await heard(client, { step: 2 }), 'text')).toBe('two')
    expect(textOf(await heard(client, { step: 3 }), 'text')).toBe(
      'The script is over: it has 2 turns, and this is step 3.',
    )
    expect(textOf(await heard(connect({ name: 'script' })), 'text')).toContain('it has 0 turns')
  })

  test('without words is an empty answer', async () => {
    expect(await heard(script({}))).toEqual([
      { type: 'finish', reason: 'stop', usage: { input: expect.any(Number), output: 0 } },
    ])
  })

  test('counts the tokens it was given, else an estimate that grows with what was sent', async () => {
    expect(
      (await heard(script({ text: 'x', usage: { input: 7, output: 8, cached: 2 } }))).at(-1),
    ).toMatchObject({ usage: { input: 7, output: 8, cached: 2 } })
    const short = (await heard(script({ text: 'four' }))).at(-1)
    const long = (await heard(script({ text: 'four' }), { instructions: 'x'.repeat(4_000) })).at(-1)
    if (short?.type !== 'finish' || long?.type !== 'finish') throw new Error('no finish')
    expect(short.usage.output).toBe(1)
    expect(long.usage.input - short.usage.input).toBeGreaterThan(900)
  })

  test.each([
    { extra: 1 },
    { calls: [{}] },
    { fault: { status: 12 } },
    { fault: {} },
    { fault: { status: 500, cutAfter: 1 } },
  ])('that is written wrong is refused: %j', (wrong) => {
    expect(scripted.settings.safeParse({ name: 'script', turns: [wrong] }).success).toBe(false)
  })
})

describe('a turn with words for an error', () => {
  const turns = [
    { text: 'I count.', calls: [{ name: 'count' }] },
    { text: 'There are 3.', calls: [{ name: 'save' }], onError: 'It could not be counted.' },
  ]
  const said = (results: readonly boolean[], more: readonly Message[] = []) =>
    heard(connect({ name: 'script', turns }), {
      step: 2,
      messages: [
        { role: 'user', text: 'How many?' },
        { role: 'tool', callId: 'old', name: 'count', text: 'from before', isError: true },
        { role: 'assistant', parts: [{ type: 'text', text: 'I count.' }] },
        ...results.map(
          (isError, index): Message => ({
            ...{ role: 'tool', callId: `c${index}`, name: 'count' },
            ...{ text: '3', isError },
          }),
        ),
        ...more,
      ],
    })

  test('is said where the calls went well', async () => {
    const chunks = await said([false, false], [{ role: 'user', text: 'Hurry.' }])
    expect(textOf(chunks, 'text')).toBe('There are 3.')
    expect(chunks.at(-1)).toMatchObject({ reason: 'calls' })
  })

  test('gives way to those words, and makes no call, where one has failed', async () => {
    const chunks = await said([true, false], [{ role: 'user', text: 'Hurry.' }])
    expect(textOf(chunks, 'text')).toBe('It could not be counted.')
    expect(chunks.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' })
    expect(chunks.some(({ type }) => type === 'call.start')).toBe(false)
  })
})

describe('an answer to a tool', () => {
  test('is the first whose purpose and text fit, and no turn of the run', async () => {
    const client = connect({
      name: 'script',
      turns: [{ text: 'a turn' }],
      completions: [
        { purpose: 'Queries', contains: 'rivers', text: '["rivers"]' },
        { purpose: 'Queries', text: '[]' },
      ],
    })
    const asked = (text: string, purpose = 'Queries') =>
      heard(client, { purpose, messages: [{ role: 'user', text }] }).then((chunks) => textOf(chunks, 'text'))
    expect(await asked('Long rivers?')).toBe('["rivers"]')
    expect(await asked('Anything else?')).toBe('[]')
    expect(await asked('Long rivers?', 'Report')).toBe('The script has no answer for Report.')
  })
})

describe('a fault', () => {
  test('of a status fails the request at once', async () => {
    expect(await heard(script({ text: 'never said', fault: { status: 503 } }))).toEqual([
      { type: 'fault', fault: { code: 'http', status: 503, message: expect.stringContaining('503') } },
    ])
  })

  test('that stalls waits in mid-stream, then goes on', async () => {
    const waits: number[] = []
    const turns = [{ text: 'a b c d', fault: { stallMs: 500 } }]
    const chunks = await heard(
      connect({ name: 'script', turns }, { ...closed, sleep: async (ms) => void waits.push(ms) }),
    )
    expect(waits).toEqual([500])
    expect(textOf(chunks, 'text')).toBe('a b c d')
    expect(chunks.at(-1)?.type).toBe('finish')
  })

  test.each([
    [0, ''],
    [3, 'ab '],
    [4, 'ab 👋'],
    [99, 'ab 👋 cd'],
  ])('that cuts after %i characters ends without a finish', async (cutAfter, expected) => {
    for (const stream of [true, false]) {
      const chunks = await heard(script({ text: 'ab 👋 cd', fault: { cutAfter } }, { stream }))
      expect(textOf(chunks, 'text')).toBe(expected)
      expect(chunks.some((each) => each.type === 'finish' || each.type === 'fault')).toBe(false)
    }
  })

  test('that cuts inside a call leaves its arguments open', async () => {
    const chunks = await heard(
      script({ calls: [{ name: 'x', args: { long: 'text' } }], fault: { cutAfter: 5 } }),
    )
    expect(chunks.map((each) => each.type)).toEqual(['call.start', 'call.args'])
  })

  test('of a finish reason changes nothing else', async () => {
    expect((await heard(script({ text: 'cut sh', fault: { finish: 'length' } }))).at(-1)).toMatchObject({
      type: 'finish',
      reason: 'length',
    })
  })
})

describe('a stream', () => {
  test('that is aborted ends in a fault, in mid-stream and in a wait alike', async () => {
    for (const throws of [true, false]) {
      const abort = new AbortController()
      const sleep = async () => {
        abort.abort()
        if (throws) throw new Error('aborted')
      }
      const chunks = await heard(
        connect({ name: 'script', turns: [{ text: 'a b c' }], paceMs: 5 }, { ...closed, sleep }),
        {},
        abort.signal,
      )
      expect(chunks.map((each) => each.type)).toEqual(['text', 'fault'])
      expect(chunks.at(-1)).toMatchObject({ fault: { code: 'aborted' } })
    }
    expect(await heard(script({ text: 'a' }), {}, AbortSignal.abort())).toMatchObject([
      { type: 'fault', fault: { code: 'aborted' } },
    ])
  })

  test('never throws, whatever body it gets and however its clock breaks', async () => {
    const broken: ModelContext = { ...closed, sleep: () => Promise.reject(new Error('no clock')) }
    expect(
      (await heard(connect({ name: 'script', turns: [{ text: 'a' }], paceMs: 1 }, broken))).at(-1),
    ).toMatchObject({ type: 'fault', fault: { message: 'no clock' } })
    for (const body of ['', '{}', 'null', '{"messages":[{"role":"x"}]}']) {
      const chunks: ModelChunk[] = []
      for await (const chunk of connect({}).stream(body, new AbortController().signal)) chunks.push(chunk)
      expect(chunks).toMatchObject([{ type: 'fault', fault: { code: 'protocol' } }])
    }
  })

  test('waits after words only as long as the pace says', async () => {
    const waits: number[] = []
    await heard(
      connect(
        { name: 'script', turns: [{ text: 'a b' }], paceMs: 20 },
        { ...closed, sleep: async (ms) => void waits.push(ms) },
      ),
    )
    expect(waits).toEqual([20, 20])
  })
})

describe('a body', () => {
  test('is JSON that says all that the request holds, the same for the same request', () => {
    const client = connect({})
    const body = client.encode(request)
    expect(JSON.parse(body)).toEqual({
      provider: 'scripted',
      name: 'demo',
      step: 1,
      instructions: 'Be brief.',
      messages: request.messages,
      tools: [],
    })
    expect(connect({}).encode(structuredClone(request))).toBe(body)
  })

  test('encodes each message once, however often it is sent', () => {
    let encoded = 0
    const message = (text: string): Message => {
      const said: Message = { role: 'user', text }
      const toJSON = () => {
        encoded += 1
        return { role: 'user', text }
      }
      return Object.defineProperty(said, 'toJSON', { value: toJSON })
    }
    const client = connect({})
    const messages: Message[] = []
    for (let step = 1; step <= 50; step++) {
      messages.push(message(`m${step}`))
      client.encode({ ...request, messages: [...messages], step })
    }
    expect(encoded).toBe(50)
  })

  test('is all that the demo knows', async () => {
    expect(textOf(await heard(connect({ name: 'demo' })), 'text')).toContain('no AI')
  })
})
