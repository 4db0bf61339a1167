import { describe, expect, it, test } from 'vitest'
import { fold } from '#lib/agent/state/fold'
import { start } from '#lib/agent/state/start'
import type { EventBody, RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { RunState } from '#lib/spec/state'
import { compareRuns } from './compare'

const agent = { id: 'agent_1', name: 'analyst', version: 'draft', configHash: 'hash' } as const
const begin = { agent, input: 'Which country?', threadId: null }

interface Step {
  readonly text?: string
  readonly call?: {
    readonly args: JsonObject
    readonly result: string
    readonly status?: 'ok' | 'error'
  }
}

/** A finished run with these steps. */
function runOf(
  steps: readonly Step[],
  { input = begin.input, costUsd = null as number | null, ms = 1_000 } = {},
): RunState {
  const bodies: [number, EventBody][] = [
    [0, { type: 'run.queued', ...begin, input }],
    [
      0,
      {
        type: 'run.started',
        ...begin,
        input,
        historyThrough: null,
        model: { provider: 'scripted', name: 'demo' },
        protocol: { format: 'native', resultPlacement: 'tool_message' },
        tools: { offered: [{ name: 'sql.execute', node: 'tools/0' }], withheld: [] },
      },
    ],
  ]
  const usage = { input: 10, output: 5 }
  for (const [index, { text, call }] of steps.entries()) {
    const step = index + 1
    const callId = `call_${step}`
    const parts = [
      ...(text === undefined ? [] : [{ type: 'text', text } as const]),
      ...(call === undefined
        ? []
        : [
            {
              type: 'call',
              id: callId,
              name: 'sql.execute',
              args: call.args,
              rawArgs: '',
              wireId: callId,
            } as const,
          ]),
    ]
    bodies.push([step, { type: 'step.started', maxSteps: 20 }])
    bodies.push([
      step,
      {
        type: 'model.answered',
        parts,
        usage,
        finishReason: call ? 'calls' : 'stop',
        durationMs: 1,
        firstTokenMs: 1,
      },
    ])
    if (call !== undefined) {
      bodies.push([
        step,
        {
          type: 'call.started',
          callId,
          name: 'sql.execute',
          args: call.args,
          source: 'builtin',
          node: 'tools/0',
        },
      ])
      bodies.push([
        step,
        {
          type: 'call.finished',
          callId,
          name: 'sql.execute',
          node: 'tools/0',
          status: call.status ?? 'ok',
          code: null,
          result: { blocks: [], text: call.result },
          durationMs: 1,
          attempts: 1,
        },
      ])
    }
    bodies.push([step, { type: 'step.finished', usage, durationMs: 2 }])
  }
  const answer = steps.at(-1)?.text ?? null
  bodies.push([
    0,
    {
      type: 'run.finished',
      status: 'completed',
      answer,
      usage,
      costUsd,
      steps: steps.length,
      toolCalls: [],
      startedAt: 0,
      finishedAt: ms,
      error: null,
    },
  ])
  let state = start({ ...begin, input, historyThrough: null, history: [] })
  for (const [index, [step, body]] of bodies.entries()) {
    const at = body.type === 'run.finished' ? ms : 0
    state = fold(state, { ...body, seq: index + 1, at, step } as RunEvent) // cast: TypeScript does not see a spread of a union as that union
  }
  return state
}

const query = (sql: string, result = '28', status: 'ok' | 'error' = 'ok', more: JsonObject = {}): Step => ({
  call: { args: { sql, ...more }, result, status },
})

test.each<[string, RunState, RunState, string, number | null]>([
  [
    'all the same',
    runOf([query('select 1'), { text: 'France.' }]),
    runOf([query('select 1'), { text: 'France.' }]),
    'Both runs took the same steps and gave the same answer.',
    null,
  ],
  [
    'another answer in the end',
    runOf([query('select 1'), { text: 'France.' }]),
    runOf([query('select 1'), { text: 'Germany.' }]),
    'Same until step 2. Then A wrote “France.”, B wrote “Germany.”.',
    1,
  ],
  [
    'a call where the other answers',
    runOf([query('select 1'), query('select 2'), { text: 'France.' }]),
    runOf([query('select 1'), { text: 'France.' }]),
    'Same until step 2. Then A called sql.execute with sql: select 2, B wrote “France.”.',
    1,
  ],
  [
    'the same call with other arguments',
    runOf([query('select 1')]),
    runOf([query('select 2')]),
    'Different from step 1. Then A called sql.execute with sql: select 1, B called sql.execute with sql: select 2.',
    0,
  ],
  [
    'the same call with another result',
    runOf([query('select 1', '28')]),
    runOf([query('select 1', 'no such table', 'error')]),
    'Different from step 1. Then A got 28 from sql.execute, B got an error from sql.execute: no such table.',
    0,
  ],
  [
    'a result that is cut, without a full stop after the ellipsis',
    runOf([query('select 1', '28')]),
    runOf([query('select 1', 'no such column '.repeat(20), 'error')]),
    `Different from step 1. Then A got 28 from sql.execute, B got an error from sql.execute: ${'no such column '.repeat(6)}…`,
    0,
  ],
  [
    'a result that ends with a full stop of its own',
    runOf([query('select 1', '28')]),
    runOf([query('select 1', 'There is no such table.', 'error')]),
    'Different from step 1. Then A got 28 from sql.execute, B got an error from sql.execute: There is no such table.',
    0,
  ],
  [
    'results that are data, in words',
    runOf([query('select 1', '[{"country":"France","total":1}]')]),
    runOf([query('select 1', '{"rows":[],"note":"none"}')]),
    'Different from step 1. Then A got a list of 1 from sql.execute, B got an object with rows, note from sql.execute.',
    0,
  ],
  [
    'data of the same shape',
    runOf([query('select 1', '[1,2]')]),
    runOf([query('select 1', '[1,3]')]),
    'Different from step 1. Then both got a list of 2 from sql.execute, but with different contents.',
    0,
  ],
  [
    'arguments with structure',
    runOf([query('select 1', '28', 'ok', { filters: { year: 2024 }, ids: [1, 2, 3] })]),
    runOf([query('select 1')]),
    'Different from step 1. Then A called sql.execute with sql: select 1, filters: an object with year, ids: a list of 3, B called sql.execute with sql: select 1.',
    0,
  ],
  [
    'a run that ended earlier',
    runOf([query('select 1')]),
    runOf([query('select 1'), { text: 'France.' }]),
    'Same until step 2. Then A had already ended, B wrote “France.”.',
    1,
  ],
  [
    'other questions',
    runOf([{ text: 'Yes.' }]),
    runOf([{ text: 'Yes.' }], { input: 'And now?' }),
    'The questions differ. Both runs took the same steps and gave the same answer.',
    null,
  ],
])('%s', (_name, a, b, words, first) => {
  const found = compareRuns(a, b)
  expect([found.words, found.first]).toEqual([words, first])
})

describe('the figures', () => {
  it('say what the second run has more or less', () => {
    const a = runOf([query('select 1', '28', 'error'), { text: 'France.' }], { costUsd: 0.02, ms: 2_000 })
    const b = runOf([{ text: 'France.' }], { costUsd: 0.05, ms: 500 })
    const { figures } = compareRuns(a, b)
    const shown = Object.fromEntries(figures.map(({ label, ...rest }) => [label, Object.values(rest)]))
    expect(shown).toMatchObject({
      Status: ['Completed', 'Completed', ''],
      Steps: ['2', '1', '−1'],
      Calls: ['1', '0', '−1'],
      'Failed calls': ['1', '0', '−1'],
      Time: ['2.00 s', '500 ms', '−1.50 s'],
    })
    expect(shown.Cost?.[2]).toMatch(/^\+\$0\.03/)
  })

  it('do not subtract a cost that is not known', () => {
    const { figures } = compareRuns(runOf([{ text: 'a' }]), runOf([{ text: 'a' }], { costUsd: 1 }))
    expect(figures.find(({ label }) => label === 'Cost')).toMatchObject({ a: 'not known', change: '' })
  })
})

it('two runs of 2,000 steps are compared in one walk', () => {
  const long = (last: string) =>
    runOf([...Array.from({ length: 2_000 }, (_, at) => query(`select ${at}`)), { text: last }])
  const [a, b] = [long('France.'), long('Germany.')]
  const began = performance.now()
  expect(compareRuns(a, b).first).toBe(2_000)
  expect(performance.now() - began).toBeLessThan(1_000)
})
