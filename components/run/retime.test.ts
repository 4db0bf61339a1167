import { expect, test } from 'vitest'
import type { RunEvent } from '#lib/spec/event'
import { createRetimer, ownMs, takenMs } from './retime'

const copied = [
  { through: 4, ms: 30 },
  { through: 6, ms: 5 },
]
const day = 86_400_000

function at(seq: number, time: number): RunEvent {
  return { type: 'step.started', seq, at: time, step: 1, maxSteps: 5 }
}

function started(time: number, forkedFrom?: object): RunEvent {
  // cast: the other fields of the event are not used here
  return { type: 'run.started', seq: 2, at: time, step: 0, ...(forkedFrom && { forkedFrom }) } as RunEvent
}

test('what a fork took over comes right before its own, without the days between', () => {
  const retimed = createRetimer()
  const now = 10 * day
  const events = [
    started(now, { runId: 'x', step: 2, copied }),
    at(3, 100),
    at(4, 130),
    at(5, day),
    at(6, day + 5),
    at(7, now + 40),
  ]
  const times = events.map((each) => retimed(each).at - now)
  expect(times).toEqual([-35, -35, -5, -5, 0, 40])
})

test('a run that is no fork keeps its times', () => {
  const retimed = createRetimer()
  const events = [started(50), at(3, 60), at(4, 70)]
  expect(events.map((each) => retimed(each))).toEqual(events)
})

test('the time a fork took is its own alone', () => {
  const forkedFrom = { runId: 'x', step: 2, copied }
  expect(takenMs(forkedFrom)).toBe(35)
  expect(ownMs({ startedAt: 100, finishedAt: 200, forkedFrom })).toBe(65)
  expect(ownMs({ startedAt: 100 })).toBe(null)
})
