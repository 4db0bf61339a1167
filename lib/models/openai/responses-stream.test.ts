import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ModelChunk } from '#lib/spec/model'
import { ChunkBuffer } from '../wire/chunk-buffer'
import { responses } from '../wire/clients.fixture'
import {
  bytes,
  calls,
  cutAt,
  dataEvents,
  heard,
  joined,
  loadClients,
  readBy,
  said,
  service,
  site,
  sse,
} from '../wire/hear.fixture'
import { ResponsesHearing } from './responses-stream'

beforeAll(loadClients, 60_000)

type Event = Readonly<Record<string, unknown>> & { readonly type: string }

async function hear(events: readonly unknown[], settings: object = {}): Promise<ModelChunk[]> {
  return await heard(
    responses(
      service(() => sse([bytes(dataEvents(events))])),
      settings,
    ),
  )
}

async function whole(response: object, settings: object = {}): Promise<ModelChunk[]> {
  const answering = service(() => Response.json({ object: 'response', ...response }))
  return await heard(responses(answering, { stream: false, ...settings }))
}

const usage = {
  input_tokens: 20,
  input_tokens_details: { cached_tokens: 5 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 4 },
}
const completed = (more: object = {}): Event => ({
  type: 'response.completed',
  response: { status: 'completed', usage, error: null, output: [], ...more },
})
const added = (output_index: number, item: object): Event => ({
  type: 'response.output_item.added',
  output_index,
  item,
})
const done = (output_index: number, item: object): Event => ({
  type: 'response.output_item.done',
  output_index,
  item,
})
const words = (output_index: number, delta: string): Event => ({
  type: 'response.output_text.delta',
  output_index,
  delta,
})
const args = (output_index: number, delta: string): Event => ({
  type: 'response.function_call_arguments.delta',
  output_index,
  delta,
})
const message = (text: string, more: object = {}) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
  ...more,
})
const call = (call_id: string, given = '') => ({
  id: `fc_${call_id}`,
  type: 'function_call',
  call_id,
  name: 'weather',
  arguments: given,
})
const reasoning = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'gAAAA' }
const stop = { type: 'finish', reason: 'stop', usage: { input: 20, output: 9, reasoning: 4, cached: 5 } }

describe('words', () => {
  test('come as they are said, with the usage the service counts', async () => {
    const chunks = await hear([
      { type: 'response.created', response: {} },
      added(0, message('', { content: [] })),
      { type: 'response.content_part.added', output_index: 0 },
      words(0, 'Hel'),
      words(0, 'lo'),
      { type: 'response.output_text.done', output_index: 0, text: 'Hello' },
      done(0, message('Hello')),
      completed({ output: [message('Hello')] }),
    ])
    expect(joined(chunks)).toEqual([{ type: 'text', text: 'Hello' }, stop])
  })

  test('of a refusal are text, and the end a filter', async () => {
    const refused = message('', { content: [{ type: 'refusal', refusal: 'No.' }] })
    const streamed = await hear([
      added(0, message('', { content: [] })),
      { type: 'response.refusal.delta', output_index: 0, delta: 'No.' },
      done(0, refused),
      completed(),
    ])
    for (const chunks of [streamed, await whole({ output: [refused], usage })])
      expect(joined(chunks)).toEqual([
        { type: 'text', text: 'No.' },
        { ...stop, reason: 'filter' },
      ])
  })

  test('keep the phase they were said in, for the way back', async () => {
    const chunks = await hear([
      added(0, message('')),
      words(0, 'Now.'),
      done(0, message('Now.', { phase: 'commentary' })),
      done(1, message('So.', { phase: 'final_answer' })),
      completed(),
    ])
    const phase = (name: string) => ({
      type: 'opaque',
      provider: 'openai-responses',
      data: { type: 'message_phase', phase: name },
    })
    expect(chunks).toEqual([
      { type: 'text', text: 'Now.' },
      phase('commentary'),
      { type: 'text', text: 'So.' },
      phase('final_answer'),
      stop,
    ])
  })
})

describe('thoughts', () => {
  const thinking = (type: string, more: object) => ({ type, output_index: 0, ...more })

  test('are shown in paragraphs, and kept sealed', async () => {
    const chunks = await hear([
      added(0, { ...reasoning, encrypted_content: '' }),
      thinking('response.reasoning_summary_part.added', { summary_index: 0 }),
      thinking('response.reasoning_summary_text.delta', { delta: 'Hm' }),
      thinking('response.reasoning_summary_text.delta', { delta: '.' }),
      thinking('response.reasoning_summary_part.added', { summary_index: 1 }),
      thinking('response.reasoning_summary_text.delta', { delta: 'So.' }),
      done(0, reasoning),
      done(1, message('Yes')),
      completed(),
    ])
    expect(said(chunks, 'reasoning')).toBe('Hm.\n\nSo.')
    expect(chunks).toContainEqual({ type: 'opaque', provider: 'openai-responses', data: reasoning })
    expect(said(chunks)).toBe('Yes')
  })

  test('said in full are shown as they come, and from the item where they did not', async () => {
    const streamed = [thinking('response.reasoning_text.delta', { delta: 'Hm.' })]
    const item = { ...reasoning, content: [{ type: 'reasoning_text', text: 'Hm.' }] }
    for (const events of [streamed, []])
      expect(
        said(await hear([added(0, reasoning), ...events, done(0, item), completed()]), 'reasoning'),
      ).toBe('Hm.')
  })
})

describe('calls', () => {
  const zurich = '{"city":"Zürich"}'

  test('L12: come side by side, each with its own id and arguments', async () => {
    const chunks = await hear([
      added(0, reasoning),
      done(0, reasoning),
      added(1, call('a')),
      added(2, call('b')),
      args(1, zurich.slice(0, 5)),
      args(2, '{}'),
      args(1, zurich.slice(5)),
      { type: 'response.function_call_arguments.done', output_index: 1, arguments: zurich },
      done(1, call('a', zurich)),
      done(2, call('b', '{}')),
      completed(),
    ])
    expect(calls(chunks)).toEqual([
      { name: 'weather', args: zurich, wireId: 'a' },
      { name: 'weather', args: '{}', wireId: 'b' },
    ])
    expect(chunks.filter((each) => each.type === 'call.end').length).toBe(2)
    expect(chunks.at(-1)).toMatchObject({ reason: 'calls' })
  })

  test.each([
    ['without deltas', [added(0, call('a')), done(0, call('a', zurich))]],
    ['without being announced', [args(0, zurich), done(0, call('a', zurich))]],
    [
      'known by their ids alone',
      [
        { type: 'response.output_item.added', item: call('a') },
        { type: 'response.function_call_arguments.delta', item_id: 'fc_a', delta: zurich },
        { type: 'response.output_item.done', item: call('a', zurich) },
      ],
    ],
    [
      'known by their order alone',
      [
        { type: 'response.output_item.added', item: { ...call('a'), id: '' } },
        { type: 'response.function_call_arguments.delta', delta: zurich },
        { type: 'response.output_item.done', item: { ...call('a', zurich), id: '' } },
      ],
    ],
    ['told at the end alone', []],
  ])('L12: %s are heard once', async (_, events) => {
    const chunks = await hear([...events, completed({ output: [call('a', zurich)] })])
    expect(calls(chunks)).toEqual([{ name: 'weather', args: zurich, wireId: 'a' }])
    expect(chunks.filter((each) => each.type === 'call.end').length).toBe(1)
  })
})

describe('the end', () => {
  test.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'filter'],
    ['something new', 'length'],
  ])('of an answer that is incomplete for %s is %s', async (reason, told) => {
    const response = {
      status: 'incomplete',
      incomplete_details: { reason },
      usage,
      output: [message('It is')],
    }
    const streamed = await hear([words(0, 'It is'), { type: 'response.incomplete', response }])
    for (const chunks of [streamed, await whole(response)])
      expect(joined(chunks)).toEqual([
        { type: 'text', text: 'It is' },
        { ...stop, reason: told },
      ])
  })

  test('at the limit of tokens is a limit, whatever it is called', async () => {
    expect((await hear([words(0, 'It'), completed()], { maxOutputTokens: 9 })).at(-1)).toMatchObject({
      reason: 'length',
    })
  })

  test('L9: is missing where the stream ends without it', async () => {
    for (const events of [[words(0, 'Hi')], [words(0, 'Hi'), '[DONE]'], [done(0, message('Hi'))], []])
      expect((await hear(events)).at(-1)).toMatchObject({ type: 'fault', fault: { code: 'cut' } })
  })

  test.each([
    [{ type: 'error', code: 'server_error', message: 'Oh', param: null }, 'http'],
    [{ type: 'error', error: { type: 'overloaded_error', message: 'Busy' } }, 'overloaded'],
    [{ error: { code: 'rate_limit_exceeded', message: 'Slow down' } }, 'rate_limit'],
    [
      {
        type: 'response.failed',
        response: { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'Slow down' } },
      },
      'rate_limit',
    ],
    [
      {
        type: 'response.failed',
        response: {
          error: { code: 'context_length_exceeded', message: 'Your input exceeds the context window' },
        },
      },
      'context_length',
    ],
  ])('L7: of a failure after 200 is told by its words: %j', async (event, code) => {
    expect((await hear([words(0, 'Hi'), event])).at(-1)).toMatchObject({ type: 'fault', fault: { code } })
  })

  test('L13 L16: is the same for one body; a body of something else is a fault', async () => {
    const strange = { type: 'crystal_ball', depth: [1] }
    const output = [reasoning, strange, message('Hi'), call('a', '{"city":"Bern"}')]
    const chunks = await whole({ status: 'completed', output, usage })
    const streamed = await hear([...output.map((item, at) => done(at, item)), completed({ output })])
    expect(chunks).toEqual(streamed)
    expect(chunks.map((each) => each.type)).toEqual([
      'opaque',
      'opaque',
      'text',
      'call.start',
      'call.args',
      'call.end',
      'finish',
    ])
    expect(await whole({ error: { code: 'server_error', message: 'Oh' }, output: null })).toMatchObject([
      { type: 'fault', fault: { code: 'http' } },
    ])
    expect(await whole({ choices: [] })).toMatchObject([{ type: 'fault', fault: { code: 'protocol' } }])
    expect(await whole({ status: 'queued', output: [] })).toMatchObject([{ fault: { code: 'cut' } }])
  })
})

test('L16: what nobody has heard of changes nothing', async () => {
  const events = [added(0, message('')), words(0, 'Hi'), done(0, message('Hi')), completed()]
  const noise = [
    { type: 'response.weather', output_index: 0, delta: 'rain' },
    'null',
    '7',
    { type: 'keepalive' },
  ]
  expect(await hear(events.flatMap((each) => [...noise, each]))).toEqual(await hear(events))
})

test('L14: the same is heard however the bytes are cut', async () => {
  const all = bytes(
    dataEvents([
      added(0, reasoning),
      done(0, reasoning),
      words(1, 'Grüße 🙂'),
      added(2, call('a')),
      args(2, '{"city":"Zü'),
      args(2, 'rich"}'),
      done(2, call('a', '{"city":"Zürich"}')),
      completed(),
    ]),
  )
  const read = async (reads: readonly Uint8Array[]) =>
    joined(
      await readBy(
        new ResponsesHearing({ out: new ChunkBuffer(), site, asked: '', maxOutputTokens: undefined }),
        reads,
      ),
    )
  const once = await read([all])
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(all.length), { maxLength: 40 }), async (cuts) => {
      expect(await read(cutAt(all, cuts))).toEqual(once)
    }),
  )
})
