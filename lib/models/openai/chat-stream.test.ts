import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ModelChunk, ModelClient } from '#lib/spec/model'
import { ChunkBuffer } from '../wire/chunk-buffer'
import {
  bytes,
  calls,
  cutAt,
  dataEvents,
  delta,
  heard,
  joined,
  loadClients,
  readBy,
  said,
  service,
  site,
  sse,
  toolCall,
} from '../wire/hear.fixture'
import { OpenaiHearing } from './chat-stream'
import { openai } from './openai'
import { openaiCompatible } from './openai-compatible'

beforeAll(loadClients, 60_000)

const tail = [{ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }, '[DONE]']
const usage = { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 }

function client(text: string | readonly Uint8Array[], settings: object = {}): ModelClient {
  const reads = typeof text === 'string' ? [bytes(text)] : text
  return openai.connect(
    openai.settings.parse(settings),
    service(() => sse(reads)),
  )
}

async function hear(values: readonly unknown[], settings: object = {}): Promise<ModelChunk[]> {
  return await heard(client(dataEvents(values), settings))
}

const weather = '{"city":"Zürich"}'
const time = '{"zone":"CET"}'

describe('words', () => {
  test('E-25: survive null deltas, null contents, empty choices and strange fields', async () => {
    const chunks = await hear([
      { choices: [], prompt_filter_results: [] },
      { choices: [{ index: 0, delta: null, finish_reason: null }] },
      delta({ role: 'assistant', content: null }),
      { ...delta({ content: 'Hel' }), error: null, x: 1 },
      { choices: [{ index: 1, delta: { content: 'another answer' } }] },
      'null',
      '"text"',
      delta({ content: 'lo' }),
      delta({}, 'stop'),
      delta({}, 'stop'),
      { choices: [], usage },
      '[DONE]',
    ])
    expect(chunks).toEqual([
      { type: 'text', text: 'Hello' },
      { type: 'finish', reason: 'stop', usage: { input: 20, output: 9 } },
    ])
  })

  test.each([['reasoning_content'], ['reasoning']])('of a thought come in %s', async (field) => {
    const chunks = await hear([
      delta({ [field]: 'Let me ' }),
      delta({ [field]: 'think.' }),
      delta({ content: 'Yes' }),
      ...tail,
    ])
    expect(said(chunks, 'reasoning')).toBe('Let me think.')
    expect(said(chunks)).toBe('Yes')
    // OpenAI itself gets nothing sent back.
    expect(chunks.some((each) => each.type === 'opaque')).toBe(false)
  })

  test('that say one thought in two fields say it once', async () => {
    const chunks = await hear([delta({ reasoning_content: 'Hm.', reasoning: 'Hm.' }), ...tail])
    expect(said(chunks, 'reasoning')).toBe('Hm.')
  })

  test('come as a list of parts as well', async () => {
    const thought = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }
    const chunks = await hear([delta({ content: [thought, { type: 'text', text: 'Yes' }] }), ...tail])
    expect([said(chunks, 'reasoning'), said(chunks)]).toEqual(['Hm.', 'Yes'])
  })
})

describe('an end', () => {
  test.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'filter'],
    ['tool_calls', 'stop'],
    ['something_new', 'stop'],
  ])('S1-15: by the reason %s is %s when nothing was called', async (finish, reason) => {
    expect((await hear([delta({ content: 'x' }), delta({}, finish), '[DONE]'])).at(-1)).toMatchObject({
      type: 'finish',
      reason,
    })
  })

  test('of a refusal is a filter, with what it says', async () => {
    const chunks = await hear([delta({ refusal: 'I can ' }), delta({ refusal: 'not.' }), ...tail])
    expect(said(chunks)).toBe('I can not.')
    expect(chunks.at(-1)).toMatchObject({ reason: 'filter' })
  })

  test('E-30: that pretends to be done with all tokens used up is length', async () => {
    const full = { choices: [], usage: { prompt_tokens: 5, completion_tokens: 100 } }
    for (const finish of ['stop', 'tool_calls']) {
      const values = [delta({ content: 'x' }), delta({}, finish), full, '[DONE]']
      expect((await hear(values, { maxOutputTokens: 100 })).at(-1)).toMatchObject({ reason: 'length' })
      expect((await hear(values, { maxOutputTokens: 101 })).at(-1)).toMatchObject({ reason: 'stop' })
      expect((await hear(values)).at(-1)).toMatchObject({ reason: 'stop' })
    }
  })

  test('needs a finish reason, and takes a missing [DONE] or a missing blank line', async () => {
    const good = dataEvents([delta({ content: 'Hi' }), delta({}, 'stop')])
    for (const text of [good, `${good}data: [DONE]`, good.trimEnd(), `${good}data: [DONE]\n\n`])
      expect((await heard(client(text))).at(-1)).toMatchObject({ type: 'finish', reason: 'stop' })
  })

  test.each([
    ['no finish reason', dataEvents([delta({ content: 'Hi' })])],
    ['[DONE] alone', dataEvents([delta({ content: 'Hi' }), '[DONE]'])],
    ['half an event', `${dataEvents([delta({ content: 'Hi' })])}data: {"choices":[{"delta":{},"finish_re`],
    ['nothing at all', ''],
    ['comments alone', ': ping\n\n: ping\n\n'],
  ])('L9: in good order with %s is cut', async (_, text) => {
    const chunks = await heard(client(text))
    expect(chunks.at(-1)).toMatchObject({ type: 'fault', fault: { code: 'cut', retry: 'backoff' } })
  })

  test.each([
    [
      { error: { message: 'Overloaded', type: 'overloaded_error' } },
      { code: 'overloaded', status: 529, retry: 'backoff' },
    ],
    [{ error: { message: 'slow down', code: 'rate_limit_exceeded' } }, { code: 'rate_limit', status: 429 }],
    [
      { error: { message: 'upstream', code: 502 }, choices: [] },
      { code: 'http', status: 502, retry: 'backoff' },
    ],
    [{ error: 'it broke' }, { code: 'http', retry: 'backoff', message: expect.stringContaining('it broke') }],
    [{ object: 'error', message: 'bad', type: 'invalid_request_error' }, { code: 'bad_request' }],
    [{ error: { message: 'no more', code: 'insufficient_quota' } }, { code: 'quota' }],
    [delta({}, 'insufficient_system_resource'), { code: 'overloaded', retry: 'backoff' }],
    [delta({}, 'error'), { code: 'http', retry: 'backoff' }],
    [delta({}, 'abort'), { code: 'cut', retry: 'backoff' }],
  ])('L7: by the error %j in mid-stream is a fault', async (error, fault) => {
    const chunks = await hear([delta({ content: 'Hi' }), error, '[DONE]'])
    expect(chunks.at(-1)).toMatchObject({ type: 'fault', fault })
    expect(chunks.some((each) => each.type === 'finish')).toBe(false)
  })

  test('L14: by a line that is no JSON is a fault', async () => {
    const chunks = await hear([delta({ content: 'Hi' }), '{"choices":[', ...tail])
    expect(chunks.at(-1)).toMatchObject({ type: 'fault', fault: { code: 'protocol' } })
  })
})

describe('tokens', () => {
  test.each([
    [
      {
        ...usage,
        prompt_tokens_details: { cached_tokens: 8 },
        completion_tokens_details: { reasoning_tokens: 4 },
      },
      { input: 20, output: 9, cached: 8, reasoning: 4 },
    ],
    [
      { ...usage, prompt_cache_hit_tokens: 8 },
      { input: 20, output: 9, cached: 8 },
    ],
    [
      { ...usage, prompt_tokens_details: null },
      { input: 20, output: 9 },
    ],
  ])('S1-15: are counted as told: %j', async (told, expected) => {
    expect(
      (await hear([delta({ content: 'x' }), delta({}, 'stop'), { choices: [], usage: told }])).at(-1),
    ).toEqual({
      type: 'finish',
      reason: 'stop',
      usage: expected,
    })
    const inChoice = { choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage: told }] }
    expect((await hear([inChoice])).at(-1)).toMatchObject({ usage: expected })
  })

  test.each([
    undefined,
    null,
    {},
    { prompt_tokens: -1, completion_tokens: 'many' },
    { prompt_tokens: 0, completion_tokens: 0 },
  ])('S0-33 are estimated and marked so when told as %j', async (told) => {
    const chunks = await hear([
      delta({ reasoning: '12345678' }),
      delta({ content: 'four' }),
      delta({}, 'stop'),
      { choices: [], usage: told },
    ])
    expect(chunks.at(-1)).toMatchObject({ usage: { output: 3, reasoning: 2, estimated: true } })
  })
})

describe('S0-18: the same answer', () => {
  const values = [
    delta({ role: 'assistant', content: '', reasoning_content: '' }),
    delta({ reasoning_content: 'Grüße 👋 ' }),
    delta({ reasoning_content: 'denken' }),
    delta({ content: 'Es ist ' }),
    delta({ content: 'kalt 🥶.' }),
    delta({ tool_calls: [toolCall(0, { id: 'a' }, '', 'weather')] }),
    delta({ tool_calls: [toolCall(0, {}, '{"city":')] }),
    delta({ tool_calls: [toolCall(1, { id: 'b' }, time, 'time'), toolCall(0, {}, '"Zürich"}')] }),
    delta({}, 'tool_calls'),
    { choices: [], usage },
    '[DONE]',
  ]
  const hearing = () =>
    new OpenaiHearing({
      out: new ChunkBuffer(),
      site,
      asked: '{}',
      maxOutputTokens: undefined,
      replaysTo: 'deep',
    })
  const reading = async (reads: readonly Uint8Array[]) => joined(await readBy(hearing(), reads))

  test.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])(
    'is heard for every cut of its bytes in two, and for any cut in many, with %s',
    async (_, newline) => {
      const all = bytes(dataEvents(values).replaceAll('\n', newline))
      const whole = await reading([all])
      expect(whole.at(-1)).toMatchObject({ type: 'finish', reason: 'calls' })
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(all.length), { maxLength: 40 }), async (cuts) => {
          expect(await reading(cutAt(all, cuts))).toEqual(whole)
        }),
        { numRuns: 30 },
      )
      const different: number[] = []
      for (let cut = 0; cut <= all.length; cut++) {
        const chunks = await reading(cutAt(all, [cut]))
        if (JSON.stringify(chunks) !== JSON.stringify(whole)) different.push(cut)
      }
      expect(different).toEqual([])
    },
    30_000,
  )

  test('L8 L9: is never taken for complete when its bytes end early', async () => {
    const all = bytes(dataEvents(values))
    // Events after the one with the finish reason do not change the answer.
    const complete = bytes(dataEvents(values.slice(0, -2))).length - 2
    for (let cut = 0; cut <= all.length; cut++) {
      const last = (await readBy(hearing(), [all.subarray(0, cut)])).at(-1)
      const fault = last?.type === 'fault' ? last.fault.code : last?.type
      expect([cut, fault]).toEqual([cut, cut < complete ? 'cut' : 'finish'])
    }
  }, 30_000)

  test('S4-23: is heard without streaming', async () => {
    const message = {
      role: 'assistant',
      content: 'Es ist kalt 🥶.',
      reasoning_content: 'Grüße 👋 denken',
      tool_calls: [
        toolCall(undefined, { id: 'a' }, weather, 'weather'),
        toolCall(undefined, { id: 'b' }, time, 'time'),
      ],
    }
    const body = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage }
    const context = service(() => Response.json(body))
    const settings = { endpoint: 'deep', name: 'm', stream: false }
    const whole = await heard(openaiCompatible.connect(openaiCompatible.settings.parse(settings), context))
    const streamed = await readBy(hearing(), [bytes(dataEvents(values))])
    const parts = (chunks: readonly ModelChunk[]) => [
      said(chunks, 'reasoning'),
      said(chunks),
      calls(chunks),
      chunks.filter((each) => each.type === 'finish' || each.type === 'opaque'),
    ]
    expect(parts(whole)).toEqual(parts(streamed))
    expect(JSON.parse(context.asked[0]?.body ?? '')).toMatchObject({ stream: false })
  })
})

test('SPEED: 20,000 deltas in one burst cost little, and go on together', async () => {
  const text = dataEvents([...Array.from({ length: 20_000 }, () => delta({ content: 'ab' })), ...tail])
  const all = bytes(text)
  const reads = Array.from({ length: Math.ceil(all.length / 65_536) }, (_, at) =>
    all.subarray(at * 65_536, (at + 1) * 65_536),
  )
  await heard(client(reads))
  const before = process.cpuUsage()
  const chunks = await heard(client(reads))
  const { user, system } = process.cpuUsage(before)
  expect(said(chunks).length).toBe(40_000)
  expect(chunks.length).toBeLessThan(reads.length + 2)
  // Processor time of this process in microseconds, which does not depend on other load.
  expect(user + system).toBeLessThan(1_000_000)
})
