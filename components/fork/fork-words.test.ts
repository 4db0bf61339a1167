import { expect, test } from 'vitest'
import { fold, start } from '#lib/agent/state/fold'
import type { RunEvent } from '#lib/spec/event'
import type { StepState } from '#lib/spec/state'
import { callsFor, forkWords, waysOf } from './fork-words'

const usage = { input: 1, output: 1 }
const call = (id: string) => ({ type: 'call', id, name: 'look', rawArgs: '{}', args: {} })
const ended = (callId: string, at: number) => ({
  type: 'call.finished',
  at,
  callId,
  name: 'look',
  node: null,
  status: 'ok',
  code: null,
  result: { blocks: [], text: 'x' },
  durationMs: 1,
  attempts: 1,
})
const asked = {
  type: 'model.requested',
  attempt: 1,
  counts: { messages: 1, tools: 1 },
  tools: [],
  bytes: 1,
  hash: 'h',
}
const answered = {
  type: 'model.answered',
  parts: [call('a'), call('b'), call('c')],
  usage,
  finishReason: 'calls',
  durationMs: 1,
  firstTokenMs: 1,
}

/** The second step of a run, after these events. */
function stepAfter(...events: readonly object[]): StepState {
  const agent = { id: null, name: 'x', version: 'draft', configHash: 'c' } as const
  const state = start({ agent, input: 'x', threadId: null, historyThrough: null, history: [] })
  const all = [{ type: 'step.started', step: 2, maxSteps: 9 }, ...events]
  // cast: only the fields that the fold needs for these events
  for (const [index, each] of all.entries())
    fold(state, { seq: index + 1, at: 1, step: 2, ...each } as RunEvent)
  const step = state.steps[0]
  if (step === undefined) throw new Error('no step')
  return step
}

test('a step offers the changes that it can take', () => {
  const ways = (...events: object[]) => waysOf(stepAfter(...events)).map(({ value }) => value)
  expect(ways()).toEqual(['again', 'prompt'])
  expect(ways(asked)).toEqual(['again', 'prompt', 'reply'])
  expect(ways(asked, answered)).toEqual(['again', 'prompt', 'reply', 'args'])
  expect(ways(asked, answered, ended('a', 2))).toEqual(['again', 'prompt', 'reply', 'args', 'result'])
})

test('what is kept and what runs again is said in words', () => {
  const step = stepAfter(asked, answered, ended('a', 2), ended('b', 3))
  const [first, second] = callsFor('result', step)
  expect(callsFor('args', step)).toHaveLength(3)
  expect(forkWords('again', { step, call: undefined }).join(' ')).toBe(
    'Step 1 is kept and not run again. Step 2 is sent to the model again.',
  )
  expect(forkWords('prompt', { step, call: undefined }).join(' ')).toMatch(/^Starts over with your question/)
  expect(forkWords('args', { step, call: first }).join(' ')).toContain(
    'and so do the 2 other calls of the step',
  )
  expect(forkWords('result', { step, call: first }).join(' ')).toContain(
    '2 calls that ended later run again.',
  )
  expect(forkWords('result', { step, call: second }).join(' ')).toContain(
    '1 call that ended later runs again.',
  )
})

test('of calls that ended in the same millisecond, the one that ended later runs again', () => {
  const step = stepAfter(asked, answered, ended('b', 2), ended('a', 2))
  const [a, b] = callsFor('result', step)
  expect(forkWords('result', { step, call: a }).join(' ')).toContain('1 call that ended later runs again.')
  expect(forkWords('result', { step, call: b }).join(' ')).toContain('2 calls that ended later run again.')
})

test('a summary of earlier steps can be changed where the request of the step had one', () => {
  const cut = {
    type: 'context.compacted',
    how: 'summarize',
    from: 1,
    to: 7,
    calls: [],
    tokensBefore: 9_000,
    tokensAfter: 4_000,
    summary: 'Seven pages were read.',
  }
  const values = (step: StepState) => waysOf(step).map(({ value }) => value)
  expect(values(stepAfter(cut, asked))).toContain('summary')
  expect(values(stepAfter({ ...cut, summary: undefined }, asked))).not.toContain('summary')
  expect(forkWords('summary', { step: stepAfter(cut, asked), call: undefined }).at(-1)).toBe(
    'Step 2 is sent to the model again, with your summary in place of steps 1 to 7.',
  )
})

test('at a step of an agent that was called, the task stays, and the words say what becomes of the call', () => {
  const step = stepAfter(asked, answered)
  expect(waysOf(step, 'helper').map(({ value }) => value)).toEqual(['again', 'reply', 'args'])
  expect(forkWords('again', { step, call: undefined, agent: 'helper' })).toEqual([
    'Step 1 is kept and not run again.',
    'Step 2 is sent to the model again.',
    'These steps belong to helper, which another agent called. The fork continues that call from this step. Calls that ran at the same time keep their results if they had finished. If not, they run again.',
    'What helper answers is the result of its call, in the trace of the fork. The answer of the fork comes from the agent that made the call.',
  ])
})
