import { expect, test } from 'vitest'
import { fold, start } from '#lib/agent/state/fold'
import { compile } from '#lib/graph/compile'
import type { RunEvent } from '#lib/spec/event'
import { catalog } from './catalog'
import { graph } from './drawing'
import { decidedRun, endingAt, recordedRun, waitingCall } from './recorded'

function folded(events: readonly RunEvent[]) {
  const agent = { id: 'retail', name: 'retail-analyst', version: 4, configHash: 'recorded' } as const
  const state = start({ agent, input: 'q', threadId: null, historyThrough: null, history: [] })
  for (const event of events) fold(state, event)
  return state
}

test('the recorded run stands where one call works and one waits for a person', () => {
  const state = folded(recordedRun())
  expect(state.status).toBe('waiting')
  expect(state.calls.get(waitingCall.id)?.status).toBe('waiting')
  expect(state.calls.get('c4')?.status).toBe('running')
  expect(state.plan?.steps).toHaveLength(4)
  expect(state.forkedFrom).toEqual({ runId: '7QX4', step: 2 })
})

test('once decided nothing waits, and what the person said is kept', () => {
  const state = folded(decidedRun())
  expect(state.status).toBe('completed')
  expect(state.calls.get(waitingCall.id)).toMatchObject({
    status: 'denied',
    approval: { decided: { decision: 'reject', by: 'person' } },
  })
})

test('moved in time it keeps every distance', () => {
  const events = decidedRun()
  const moved = endingAt(events, 1_000_000_000)
  expect(moved.at(-1)?.at).toBe(1_000_000_000)
  expect(folded(moved).steps.map((each) => each.modelMs)).toEqual(
    folded(events).steps.map((each) => each.modelMs),
  )
})

test('its drawing is one that the graph room reads', () => {
  expect(() => compile(graph, catalog)).not.toThrow()
})
