import { expect, test } from 'vitest'
import {
  answered,
  begin,
  callFinished,
  callStarted,
  record,
  requested,
  stepFinished,
  stepStarted,
} from '#components/trace/run.fixture'
import { lastCalls, sameCalls } from './last-calls'

const asked = (id: string) => ({ id, name: 'math.calculate', args: { expression: id } })
const step = (...ids: string[]) => [
  stepStarted,
  requested,
  answered({ calls: ids.map(asked) }),
  ...ids.flatMap((id) => [callStarted(asked(id), 'tools/0'), callFinished(asked(id), 'tools/0')]),
  stepFinished,
]

test('the last calls of an entry come newest first, and all are counted', () => {
  const { state } = record(begin, ...step('a', 'b', 'c'), ...step('d', 'e', 'f'))
  const { calls, total } = lastCalls(state, 'tools/0')
  expect(calls.map((each) => each.call.id)).toEqual(['f', 'e', 'd', 'c', 'b'])
  expect(total).toBe(6)
  expect(lastCalls(state, 'tools/1').total).toBe(0)
})

test('read again while nothing happened they are the same', () => {
  const { state } = record(begin, ...step('a'), stepStarted, requested, answered({ calls: [asked('b')] }))
  const before = lastCalls(state, 'tools/0')
  expect(sameCalls(before, lastCalls(state, 'tools/0'))).toBe(true)
  expect(lastCalls(null, 'tools/0')).toEqual({ calls: [], total: 0 })
})
