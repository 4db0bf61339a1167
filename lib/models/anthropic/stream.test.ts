import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ModelChunk } from '#lib/spec/model'
import { ChunkBuffer } from '../wire/chunk-buffer'
import {
  bodyOf,
  bytes,
  calls,
  cutAt,
  heard,
  joined,
  loadClients,
  readBy,
  said,
  service,
  site,
  sse,
} from '../wire/hear.fixture'
import { anthropic } from './anthropic'
import { AnthropicHearing } from './stream'

beforeAll(loadClients, 60_000)

type Event = { type: string; [key: string]: unknown }

function events(values: readonly Event[]): string {
  return values.map((each) => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`).join('')
}

const start: Event = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [],
    usage: { input_tokens: 12, cache_creation_input_tokens: 3, cache_read_input_tokens: 5, output_tokens: 1 },
  },
}

function end(reason: string | null, usage: object = { output_tokens: 30 }): Event[] {
  return [
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
}

function block(index: number, content: object, deltas: readonly object[] = []): Event[] {
  return [
    { type: 'content_block_start', index, content_block: content },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

const text = (index: number, ...pieces: string[]) =>
  block(
    index,
    { type: 'text', text: '' },
    pieces.map((each) => ({ type: 'text_delta', text: each })),
  )

const use = (index: number, id: string, name: string, ...pieces: string[]) =>
  block(
    index,
    { type: 'tool_use', id, name, input: {} },
    pieces.map((each) => ({ type: 'input_json_delta', partial_json: each })),
  )

async function hear(values: readonly Event[], settings: object = {}): Promise<ModelChunk[]> {
  const context = service(() => sse([bytes(events(values))]))
  return await heard(anthropic.connect(anthropic.settings.parse(settings), context))
}

const thinking = [
  { type: 'thinking_delta', thinking: 'Let me ' },
  { type: 'thinking_delta', thinking: 'think.' },
  { type: 'signature_delta', signature: 'c2ln' },
]

describe('blocks', () => {
  test('S1-29 D-16: become words, thoughts and calls of their own, in order', async () => {
    const chunks = await hear([
      start,
      { type: 'ping' },
      ...block(0, { type: 'thinking', thinking: '', signature: '' }, thinking),
      ...text(1, 'I ', 'look.'),
      ...use(2, 'toolu_1', 'weather', '', '{"city":', '"Zürich"}'),
      ...use(3, 'toolu_2', 'time', '{"zone":"CET"}'),
      ...end('tool_use'),
    ])
    expect(joined(chunks)).toEqual([
      { type: 'reasoning', text: 'Let me think.' },
      {
        type: 'opaque',
        provider: 'anthropic',
        data: { type: 'thinking', thinking: 'Let me think.', signature: 'c2ln' },
      },
      { type: 'text', text: 'I look.' },
      { type: 'call.start', index: 0, name: 'weather', wireId: 'toolu_1' },
      { type: 'call.args', index: 0, text: '{"city":"Zürich"}' },
      { type: 'call.end', index: 0 },
      { type: 'call.start', index: 1, name: 'time', wireId: 'toolu_2' },
      { type: 'call.args', index: 1, text: '{"zone":"CET"}' },
      { type: 'call.end', index: 1 },
      { type: 'finish', reason: 'calls', usage: { input: 20, output: 30, cached: 5, cacheWritten: 3 } },
    ])
  })

  test('that are mixed, unnumbered or all in their start are told apart', async () => {
    const mixed = await hear([
      start,
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 'a', name: 'x', input: {} },
      },
      {
        type: 'content_block_start',
        index: 2,
        content_block: { type: 'tool_use', id: 'b', name: 'y', input: {} },
      },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"n":' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{}' } },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '2}' } },
      ...end('end_turn'),
    ])
    expect(calls(mixed)).toEqual([
      { name: 'x', args: '{}', wireId: 'a' },
      { name: 'y', args: '{"n":2}', wireId: 'b' },
    ])
    expect(mixed.at(-1)).toMatchObject({ reason: 'calls' })
    const bare = [...text(0, 'a'), ...use(0, '', 'x', '{"n":1}')].map(
      ({ index: _, ...each }): Event => ({ ...each }),
    )
    const unnumbered = await hear([start, ...bare, ...end('tool_use')])
    expect([said(unnumbered), calls(unnumbered)]).toEqual(['a', [{ name: 'x', args: '{"n":1}' }]])
    const inStart = await hear([
      start,
      ...block(0, { type: 'text', text: 'all' }),
      ...block(1, { type: 'tool_use', id: 'a', name: 'x', input: { n: 1 } }),
      ...block(2, { type: 'tool_use', id: 'b', name: 'y', input: {} }),
      ...end('tool_use'),
    ])
    expect(calls(inStart)).toEqual([
      { name: 'x', args: '{"n":1}', wireId: 'a' },
      { name: 'y', args: '', wireId: 'b' },
    ])
  })

  test('L16: of unknown kinds are kept whole, unknown events and fields are passed over', async () => {
    const chunks = await hear([
      { type: 'weather_report', sky: 'clear' },
      start,
      ...block(0, { type: 'redacted_thinking', data: 'x'.repeat(9) }),
      ...block(1, { type: 'crystal_ball', fog: { deep: [1] } }, [
        { type: 'fog_delta', tale: 'once ' },
        { type: 'fog_delta', tale: 'upon' },
      ]),
      ...block(2, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }, [
        { type: 'input_json_delta', partial_json: '{"query":' },
        { type: 'input_json_delta', partial_json: '"x"}' },
      ]),
      ...text(3, 'Yes'),
      ...end('end_turn'),
    ])
    expect(
      chunks.filter((each) => each.type === 'opaque').map((each) => each.type === 'opaque' && each.data),
    ).toEqual([
      { type: 'redacted_thinking', data: 'xxxxxxxxx' },
      { type: 'crystal_ball', fog: { deep: [1] }, tale: 'once upon' },
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } },
    ])
    expect(said(chunks)).toBe('Yes')
  })
})

describe('an end', () => {
  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['pause_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'filter'],
    ['something_new', 'stop'],
    [null, 'stop'],
  ])('by the reason %s is %s', async (stop, reason) => {
    expect((await hear([start, ...text(0, 'x'), ...end(stop)])).at(-1)).toMatchObject({
      type: 'finish',
      reason,
    })
  })

  test('of a refusal before the first word is told by its explanation', async () => {
    const delta = {
      stop_reason: 'refusal',
      stop_details: { type: 'refusal', explanation: 'I do not do that.' },
    }
    const chunks = await hear([
      start,
      { type: 'message_delta', delta, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ])
    expect(said(chunks)).toBe('I do not do that.')
    expect(chunks.at(-1)).toMatchObject({ reason: 'filter' })
  })

  test('E-30: that pretends to be done with all tokens used up is length', async () => {
    const values = [start, ...text(0, 'x'), ...end('end_turn', { output_tokens: 4_096 })]
    expect((await hear(values)).at(-1)).toMatchObject({ reason: 'length' })
    expect((await hear(values, { maxOutputTokens: 5_000 })).at(-1)).toMatchObject({ reason: 'stop' })
  })

  test('L9: in good order without message_stop is cut', async () => {
    const all = [start, ...text(0, 'x'), ...end('end_turn')]
    for (let kept = 1; kept < all.length; kept++)
      expect((await hear(all.slice(0, kept))).at(-1)).toMatchObject({
        type: 'fault',
        fault: { code: 'cut', retry: 'backoff' },
      })
  })

  test.each([
    ['overloaded_error', { code: 'overloaded', status: 529, retry: 'backoff' }],
    ['rate_limit_error', { code: 'rate_limit', status: 429, retry: 'backoff' }],
    ['api_error', { code: 'http', status: 500, retry: 'backoff' }],
    ['invalid_request_error', { code: 'bad_request', status: 400 }],
    ['authentication_error', { code: 'auth', status: 401 }],
  ])('L7: by an error event of %s is a fault', async (type, fault) => {
    const chunks = await hear([
      start,
      ...text(0, 'x'),
      { type: 'error', error: { type, message: 'Told so' } },
      ...end('end_turn'),
    ])
    expect(chunks.at(-1)).toMatchObject({
      type: 'fault',
      fault: { ...fault, message: expect.stringContaining('Told so') },
    })
  })

  test('L14: by an event that is no JSON is a fault', async () => {
    const context = service(() =>
      sse([bytes(`${events([start])}event: x\ndata: {oops\n\n${events(end('end_turn'))}`)]),
    )
    const chunks = await heard(anthropic.connect(anthropic.settings.parse({}), context))
    expect(chunks).toMatchObject([{ type: 'fault', fault: { code: 'protocol' } }])
  })

  test('by a broken connection is cut', async () => {
    const context = service(() => new Response(bodyOf([bytes(events([start, ...text(0, 'x')]))], 'break')))
    const chunks = await heard(anthropic.connect(anthropic.settings.parse({}), context))
    expect(chunks).toMatchObject([
      { type: 'text' },
      { type: 'fault', fault: { code: 'cut', retry: 'backoff' } },
    ])
  })
})

describe('tokens', () => {
  test('are those told last, with all input counted and thoughts apart', async () => {
    const usage = {
      input_tokens: 13,
      output_tokens: 40,
      cache_read_input_tokens: null,
      output_tokens_details: { thinking_tokens: 25 },
    }
    expect((await hear([start, ...end('end_turn', usage)])).at(-1)).toMatchObject({
      usage: { input: 21, output: 40, cached: 5, reasoning: 25 },
    })
  })

  test('are estimated and marked so when not told', async () => {
    const silent: Event = { type: 'message_start', message: {} }
    expect((await hear([silent, ...text(0, 'four'), ...end('end_turn', {})])).at(-1)).toMatchObject({
      usage: { output: 1, estimated: true },
    })
  })
})

describe('S0-18: the same answer', () => {
  const content = [
    { type: 'thinking', thinking: 'Let me think.', signature: 'c2ln' },
    { type: 'text', text: 'Grüße 👋' },
    { type: 'tool_use', id: 'toolu_1', name: 'x', input: { n: 1 } },
  ]
  const values = [
    start,
    ...block(0, { type: 'thinking', thinking: '', signature: '' }, thinking),
    ...text(1, 'Grü', 'ße 👋'),
    ...use(2, 'toolu_1', 'x', '{"n"', ':1}'),
    ...end('tool_use'),
  ]
  const hearing = () =>
    new AnthropicHearing({ out: new ChunkBuffer(), site, asked: '{}', maxOutputTokens: 4_096 })

  test('is heard for every cut of its bytes', async () => {
    const all = bytes(events(values))
    const whole = joined(await readBy(hearing(), [all]))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(all.length), { maxLength: 40 }), async (cuts) => {
        expect(joined(await readBy(hearing(), cutAt(all, cuts)))).toEqual(whole)
      }),
      { numRuns: 30 },
    )
    const different: number[] = []
    for (let cut = 0; cut <= all.length; cut++) {
      const chunks = joined(await readBy(hearing(), cutAt(all, [cut])))
      if (JSON.stringify(chunks) !== JSON.stringify(whole)) different.push(cut)
    }
    expect(different).toEqual([])
  }, 30_000)

  test('L8 L9: is never taken for complete when its bytes end early', async () => {
    const all = bytes(events(values))
    for (let cut = 0; cut <= all.length; cut++) {
      const last = (await readBy(hearing(), [all.subarray(0, cut)])).at(-1)
      const fault = last?.type === 'fault' ? last.fault.code : last?.type
      // The blank line at the very end does not change the answer.
      expect([cut, fault]).toEqual([cut, cut < all.length - 2 ? 'cut' : 'finish'])
    }
  }, 30_000)

  test('S4-23 D-16: is heard without streaming', async () => {
    const usage = {
      input_tokens: 12,
      cache_creation_input_tokens: 3,
      cache_read_input_tokens: 5,
      output_tokens: 30,
    }
    const body = { id: 'msg_1', type: 'message', role: 'assistant', content, stop_reason: 'tool_use', usage }
    const context = service(() => Response.json(body))
    const whole = await heard(anthropic.connect(anthropic.settings.parse({ stream: false }), context))
    expect(joined(whole)).toEqual(joined(await readBy(hearing(), [bytes(events(values))])))
  })
})
