/** What a caller of an agent hears of a run, and of the runs inside its calls. */
import { expect, test } from 'vitest'
import type { EventBody, RunEvent } from '#lib/spec/event'
import { createFollowing } from './following'

const url = 'http://127.0.0.1:3000/runs/run_1'

function heard(...bodies: EventBody[]) {
  const following = createFollowing(url)
  const sentences = bodies.map((body, index) => {
    const event = { seq: index + 1, at: 1, step: 1, ...body } as RunEvent // cast: a body with its three numbers is its event
    return [following.read(event), following.isWaiting]
  })
  return sentences
}

const asks = {
  type: 'approval.requested',
  callId: 'call_1_1',
  tool: 'note',
  args: {},
  expiresAt: null,
} as const
const decided = {
  type: 'approval.decided',
  callId: 'call_1_1',
  decision: 'approve',
  scope: 'call',
  by: 'person',
} as const
const finished: EventBody = {
  type: 'call.finished',
  callId: 'call_1_1',
  name: 'helper',
  node: null,
  status: 'timeout',
  code: 'timeout',
  result: { blocks: [], text: '' },
  durationMs: 1,
  attempts: 1,
}

test('S1-24 an approval in a run inside a call is waited for as one of the run itself', () => {
  const parent = 'call_1_1'
  expect(heard({ ...asks, parent }, { ...asks, parent: 'call_1_2' }, { ...decided, parent })).toEqual([
    [`Waits for a person to decide on note (${url}).`, true],
    [`Waits for a person to decide on note (${url}).`, true],
    ['The call was approved.', true],
  ])
})

test('a question inside is waited for as well, until it has a reply', () => {
  const parent = 'call_1_1'
  const question = {
    type: 'input.requested',
    callId: 'call_1_1',
    tool: 'human.ask',
    inputId: 'city',
    from: 'tool',
    question: 'Which city?',
  } as const
  const given = {
    type: 'input.given',
    callId: 'call_1_1',
    inputId: 'city',
    action: 'answer',
    by: 'person',
  } as const
  expect(heard({ ...question, parent }, { ...given, parent })).toEqual([
    [`Waits for a person to answer: Which city? (${url})`, true],
    ['A person replied.', false],
  ])
})

test('what waits inside a call is waited for no longer once that call has ended', () => {
  expect(heard({ ...asks, parent: 'call_1_1' }, finished).at(-1)).toEqual([undefined, false])
})

test('the steps and calls inside are not told', () => {
  expect(heard({ type: 'step.started', maxSteps: 1, parent: 'call_1_1' })).toEqual([[undefined, false]])
})
