import { expect, test } from 'vitest'
import type { EventBody } from '#lib/spec/event'
import { answered, begin, record, requested, stepFinished, stepStarted } from './run.fixture'
import { createRunWaits } from './run-waits'

const calls = answered({
  calls: [
    { id: 'a', name: 'files.create' },
    { id: 'b', name: 'sql.execute' },
  ],
})
const ask = (callId: string): EventBody => ({
  type: 'approval.requested',
  callId,
  tool: 'files.create',
  args: {},
  expiresAt: null,
})
const decide = (callId: string): EventBody => ({
  type: 'approval.decided',
  callId,
  decision: 'reject',
  scope: 'call',
  by: 'person',
})

test('two calls that wait at the same time are one wait, in a finished step too', () => {
  const open = [begin, stepStarted, requested, calls, ask('a'), ask('b'), decide('a')]
  const going = record(...open).state
  const [first] = createRunWaits()(going)
  expect(first).toEqual({ from: going.steps[0]?.calls[0]?.approval?.askedAt, to: null })
  const { state } = record(...open, decide('b'), stepFinished, stepStarted)
  const read = createRunWaits()
  const waits = read(state)
  expect(waits).toEqual([{ from: first?.from, to: state.steps[0]?.calls[1]?.approval?.decided?.at }])
  expect(read(state)).toEqual(waits)
})

test('a run without approvals has no waits', () => {
  expect(createRunWaits()(record(begin, stepStarted, requested, calls).state)).toEqual([])
})
