import { expect, test } from 'vitest'
import type { RunEvent } from '#lib/spec/event'
import { createEventFilter } from './event-filter'

const event = (seq: number, type: string) => ({ seq, type, at: seq, step: 1 }) as RunEvent // cast: a partial event

test('events of one type are kept as the list grows, and counted by type', () => {
  const filter = createEventFilter()
  const events = [event(1, 'run.started'), event(2, 'text.delta')]
  expect(filter(events, 'text.delta').kept.map((each) => each.seq)).toEqual([2])
  events.push(event(3, 'text.delta'), event(4, 'step.finished'))
  const { kept, types } = filter(events, 'text.delta')
  expect(kept.map((each) => each.seq)).toEqual([2, 3])
  expect([...types]).toEqual([
    ['run.started', 1],
    ['text.delta', 2],
    ['step.finished', 1],
  ])
  expect(filter(events, '').kept).toBe(events)
  expect(filter([event(1, 'text.delta')], 'text.delta').kept).toHaveLength(1)
})
