import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RunEvent } from '#lib/spec/event'
import { fold, start } from '../state/fold'

const agent = { id: null, name: 'a', version: 'draft', configHash: '' } as const
const call = (id: string) => ({
  type: 'call' as const,
  id,
  wireId: id,
  name: 'write',
  rawArgs: '{}',
  args: {},
})

/** A step with two calls that both need approval. */
function asked(): RunEvent[] {
  const events: object[] = [
    { type: 'step.started', maxSteps: 3 },
    {
      type: 'model.answered',
      parts: [call('a'), call('b')],
      usage: { input: 0, output: 0 },
      finishReason: 'calls',
      durationMs: 1,
      firstTokenMs: 1,
    },
    { type: 'approval.requested', callId: 'a', tool: 'write', args: {}, expiresAt: 900 },
    { type: 'approval.requested', callId: 'b', tool: 'write', args: {}, expiresAt: null },
  ]
  return events.map((each, index) => ({ ...each, seq: index + 1, at: index, step: 1 }) as RunEvent) // cast: each object has the fields of its event type
}

const decided = (seq: number, callId: string, decision: 'approve' | 'reject') =>
  ({ type: 'approval.decided', seq, at: 50, step: 1, callId, decision, scope: 'call', by: 'person' }) as const

function folded(events: readonly RunEvent[]) {
  const state = start({ agent, input: 'q', threadId: null, historyThrough: null, history: [] })
  for (const event of events) fold(state, event)
  return state
}

test('a run waits until every call that asked has its answer', () => {
  const events = asked()
  expect(folded(events).status).toBe('waiting')
  expect(folded([...events, decided(5, 'a', 'approve')]).status).toBe('waiting')
  const state = folded([...events, decided(5, 'a', 'approve'), decided(6, 'b', 'reject')])
  expect(state.status).toBe('running')
  expect(state.calls.get('b')).toMatchObject({ status: 'due', approval: { decided: { decision: 'reject' } } })
})

test('the order of the answers does not change what is known in the end', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.constantFrom('approve', 'reject'), (isSwapped, said) => {
      const [first, second] = isSwapped ? (['b', 'a'] as const) : (['a', 'b'] as const)
      const state = folded([...asked(), decided(5, first, said), decided(6, second, said)])
      expect(state.status).toBe('running')
      for (const id of ['a', 'b']) expect(state.calls.get(id)?.approval?.decided?.decision).toBe(said)
    }),
  )
})

test('an answer to a call that never asked changes nothing', () => {
  const events = asked().slice(0, 2)
  expect(folded([...events, decided(3, 'a', 'approve')]).calls.get('a')?.approval).toBeUndefined()
})
