import { beforeAll, describe, expect, test } from 'vitest'
import type { ModelChunk } from '#lib/spec/model'
import {
  bytes,
  toolCall as call,
  calls,
  dataEvents,
  delta,
  heard,
  loadClients,
  service,
  sse,
} from '../wire/hear.fixture'
import { openai } from './openai'

beforeAll(loadClients, 60_000)

const usage = { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 }
const weather = '{"city":"Zürich"}'
const time = '{"zone":"CET"}'
const both = [
  { name: 'weather', args: weather },
  { name: 'time', args: time },
]

async function hear(values: readonly unknown[]): Promise<ModelChunk[]> {
  const context = service(() => sse([bytes(dataEvents(values))]))
  return await heard(openai.connect(openai.settings.parse({}), context))
}

describe('L12: calls come together, however they are told', () => {
  const quirks: readonly { how: string; deltas: readonly unknown[]; expected?: readonly object[] }[] = [
    {
      how: 'by index, in pieces',
      deltas: [
        delta({ tool_calls: [call(0, { id: 'a' }, '', 'weather')] }),
        delta({ tool_calls: [call(0, {}, '{"city":')] }),
        delta({ tool_calls: [call(0, {}, '"Zürich"}')] }),
        delta({ tool_calls: [call(1, { id: 'b' }, '', 'time')] }),
        delta({ tool_calls: [call(1, {}, time)] }),
      ],
      expected: [
        { name: 'weather', args: weather, wireId: 'a' },
        { name: 'time', args: time, wireId: 'b' },
      ],
    },
    {
      how: 'D-17: with all arguments in the first delta',
      deltas: [
        delta({ tool_calls: [call(0, { id: 'a' }, weather, 'weather')] }),
        delta({ tool_calls: [call(1, { id: 'b' }, time, 'time')] }),
      ],
    },
    {
      how: 'D-17: with the name in every delta',
      deltas: [
        delta({ tool_calls: [call(0, { id: 'a' }, '{"city":', 'weather')] }),
        delta({ tool_calls: [call(0, { id: 'a' }, '"Zürich"', 'weather')] }),
        delta({ tool_calls: [call(0, { id: 'a' }, '}', 'weather')] }),
        delta({ tool_calls: [call(1, { id: 'b' }, time, 'time')] }),
      ],
    },
    {
      how: 'interleaved',
      deltas: [
        delta({ tool_calls: [call(0, { id: 'a' }, '', 'weather'), call(1, { id: 'b' }, '', 'time')] }),
        delta({ tool_calls: [call(1, {}, '{"zone":')] }),
        delta({ tool_calls: [call(0, {}, '{"city":')] }),
        delta({ tool_calls: [call(1, {}, '"CET"}'), call(0, {}, '"Zürich"}')] }),
      ],
    },
    {
      how: 'with indexes from 1',
      deltas: [
        delta({ tool_calls: [call(1, { id: 'a' }, weather, 'weather')] }),
        delta({ tool_calls: [call(2, { id: 'b' }, '{"zone"', 'time')] }),
        delta({ tool_calls: [call(2, {}, ':"CET"}')] }),
      ],
    },
    {
      how: 'without indexes, whole in one delta',
      deltas: [
        delta({
          tool_calls: [
            call(undefined, { id: 'a' }, weather, 'weather'),
            call(undefined, { id: 'b' }, time, 'time'),
          ],
        }),
      ],
    },
    {
      how: 'without indexes or ids, one after the other',
      deltas: [
        delta({ tool_calls: [call(undefined, {}, '', 'weather')] }),
        delta({ tool_calls: [call(undefined, {}, '{"city":')] }),
        delta({ tool_calls: [call(undefined, {}, '"Zürich"}')] }),
        delta({ tool_calls: [call(undefined, {}, '', 'time')] }),
        delta({ tool_calls: [call(undefined, {}, time)] }),
      ],
    },
    {
      how: 'all at index 0, told apart by their ids',
      deltas: [
        delta({ tool_calls: [call(0, { id: 'a' }, weather, 'weather')] }),
        delta({ tool_calls: [call(0, { id: 'b' }, '', 'time')] }),
        delta({ tool_calls: [call(0, {}, time)] }),
      ],
    },
    {
      how: 'all at index 0 and without ids',
      deltas: [
        delta({ tool_calls: [call(0, {}, weather, 'weather')] }),
        delta({ tool_calls: [call(0, {}, time, 'time')] }),
      ],
    },
    {
      how: 'E-20: with empty ids and null ones',
      deltas: [
        delta({ tool_calls: [call(0, { id: '' }, weather, 'weather')] }),
        delta({ tool_calls: [call(1, { id: null }, time, 'time')] }),
      ],
      expected: both,
    },
    {
      how: 'E-19: with one id for all',
      deltas: [
        delta({ tool_calls: [call(undefined, { id: 'call_0' }, '', 'weather')] }),
        delta({ tool_calls: [call(undefined, {}, weather)] }),
        delta({ tool_calls: [call(undefined, { id: 'call_0' }, '', 'time')] }),
        delta({ tool_calls: [call(undefined, {}, time)] }),
      ],
    },
    {
      how: 'with id and name in different deltas, in either order',
      deltas: [
        delta({ tool_calls: [call(0, { id: 'a' })] }),
        delta({ tool_calls: [call(0, {}, undefined, 'weather')] }),
        delta({ tool_calls: [call(0, {}, weather)] }),
        delta({ tool_calls: [call(undefined, {}, undefined, 'time')] }),
        delta({ tool_calls: [call(undefined, { id: 'b' })] }),
        delta({ tool_calls: [call(undefined, {}, time)] }),
      ],
      expected: [
        { name: 'weather', args: weather, wireId: 'a' },
        { name: 'time', args: time, wireId: 'b' },
      ],
    },
    {
      how: 'with arguments as an object, and null beside them',
      deltas: [
        delta({ content: null, tool_calls: [call(0, { id: 'a' }, { city: 'Zürich' }, 'weather')] }),
        delta({
          role: 'assistant',
          content: '',
          tool_calls: [null, call(1, { id: 'b' }, { zone: 'CET' }, 'time')],
        }),
      ],
    },
  ]

  test.each(quirks)('$how', async ({ deltas, expected }) => {
    for (const finish of ['tool_calls', 'stop']) {
      const chunks = await hear([...deltas, delta({}, finish), { choices: [], usage }, '[DONE]'])
      const found = calls(chunks)
      if (expected !== undefined) expect(found).toEqual(expected)
      expect(found.map(({ name, args }) => ({ name, args }))).toEqual(both)
      expect(chunks.filter((each) => each.type === 'call.end').length).toBe(2)
      expect(chunks.at(-1)).toEqual({ type: 'finish', reason: 'calls', usage: { input: 20, output: 9 } })
    }
  })

  test('S0-12: as the older function_call', async () => {
    const chunks = await hear([
      delta({ function_call: { name: 'weather', arguments: '' } }),
      delta({ function_call: { arguments: weather } }),
      delta({}, 'function_call'),
      '[DONE]',
    ])
    expect(calls(chunks)).toEqual([{ name: 'weather', args: weather }])
    expect(chunks.at(-1)).toMatchObject({ reason: 'calls' })
  })

  test('with a name in two pieces, and with one that only repeats its beginning', async () => {
    const chunks = await hear([
      delta({ tool_calls: [call(0, { id: 'a' }, '', 'wea')] }),
      delta({ tool_calls: [call(0, {}, '', 'ther')] }),
      delta({ tool_calls: [call(0, {}, weather)] }),
      delta({ tool_calls: [call(1, { id: 'b' }, '', 'ti')] }),
      delta({ tool_calls: [call(1, { id: 'b' }, time, 'time')] }),
      delta({}, 'tool_calls'),
    ])
    expect(calls(chunks).map(({ name, args }) => ({ name, args }))).toEqual(both)
  })

  test('L10: arguments that are whole too early go on', async () => {
    const chunks = await hear([
      delta({ tool_calls: [call(0, { id: 'a' }, '{"a":1}', 'x')] }),
      delta({ tool_calls: [call(0, {}, ',"limit":10}')] }),
      delta({}, 'tool_calls'),
    ])
    expect(calls(chunks)).toEqual([{ name: 'x', args: '{"a":1},"limit":10}', wireId: 'a' }])
  })

  test('twice the same call without ids is two calls', async () => {
    const again = delta({ tool_calls: [call(0, {}, '{"n":1}', 'x')] })
    expect(calls(await hear([again, again, delta({}, 'tool_calls')]))).toHaveLength(2)
  })
})
