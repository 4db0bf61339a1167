import { describe, expect, test } from 'vitest'
import type { RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import { type DrawnConfig, movedPaths, moveEntries } from './moved-entries'

const math = { use: 'builtin', tools: ['math.*'] }
const time = { use: 'builtin', tools: ['time.now'] }
const code = { use: 'code', name: 'shout' }

/** Each entry with its node id. */
type Drawn = readonly (readonly [node: string, entry: JsonObject])[]

function drawn(tools: Drawn): DrawnConfig {
  return {
    config: { tools: tools.map(([, entry]) => entry) },
    origins: Object.fromEntries(tools.map(([node], index) => [`tools/${index}`, node])),
  }
}

test.each<[what: string, before: Drawn, after: Drawn, paths: string[]]>([
  ['nothing changed', [['m', math]], [['m', math]], ['tools/0']],
  [
    'entries changed places',
    [
      ['m', math],
      ['t', time],
    ],
    [
      ['t', time],
      ['m', math],
    ],
    ['tools/1', 'tools/0'],
  ],
  [
    'a new entry came before an edited one',
    [['m', math]],
    [
      ['t', time],
      ['m', { ...math, tools: ['math.calculate'] }],
    ],
    ['tools/1'],
  ],
  [
    'the drawing was made anew, with other nodes',
    [
      ['a', math],
      ['b', time],
    ],
    [
      ['x', time],
      ['y', math],
    ],
    ['tools/1', 'tools/0'],
  ],
  [
    'a config was given without a drawing, so that nodes are named by their places',
    [
      ['tools/0', math],
      ['tools/1', time],
    ],
    [
      ['tools/0', time],
      ['tools/1', math],
    ],
    ['tools/1', 'tools/0'],
  ],
  [
    'an entry was removed',
    [
      ['m', math],
      ['t', time],
    ],
    [['t', time]],
    ['removed/tools/0', 'tools/0'],
  ],
  ['a node became another kind of entry', [['m', math]], [['m', code]], ['removed/tools/0']],
  [
    'two equal entries changed places',
    [
      ['a', math],
      ['b', math],
    ],
    [
      ['b', math],
      ['a', math],
    ],
    ['tools/1', 'tools/0'],
  ],
])('paths when %s', (_, before, after, paths) => {
  expect([...movedPaths(drawn(before), drawn(after)).values()]).toEqual(paths)
})

describe('copied events', () => {
  const at = { seq: 1, at: 1, step: 1 }
  const finished: RunEvent = {
    ...at,
    type: 'call.finished',
    callId: 'call_1_1',
    name: 'math.calculate',
    node: 'tools/0',
    status: 'ok',
    code: null,
    result: { blocks: [], text: '42' },
    durationMs: 1,
    attempts: 1,
  }
  const between = {
    from: drawn([['m', math]]),
    to: drawn([
      ['t', time],
      ['m', math],
    ]),
  }

  test('get the paths of the config of the fork', () => {
    expect(moveEntries([finished], between)).toEqual([{ ...finished, node: 'tools/1' }])
  })

  test('stay as they are without an entry, and inside the call of a sub-agent', () => {
    const others: RunEvent[] = [
      { ...finished, node: null },
      { ...finished, parent: 'call_1_2' },
      { ...at, type: 'step.finished', usage: { input: 0, output: 0 }, durationMs: 1 },
    ]
    expect(moveEntries(others, between)).toEqual(others)
  })
})
