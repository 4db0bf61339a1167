import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonValue } from '#lib/spec/json'
import { createSeenDays } from './seen-days'

const day = 24 * 60 * 60 * 1_000
const epoch = 20_000 * day

function open() {
  const kept = new Map<string, JsonValue>()
  let now = epoch
  const settings = {
    get: (key: string) => kept.get(key),
    set: (key: string, value: JsonValue) => kept.set(key, value),
  }
  const days = createSeenDays(settings, { now: () => now })
  return {
    days,
    /** Moves the clock forward by so many days, and starts the server. */
    start: (more: number) => {
      now += more * day
      days.note()
    },
    now: () => now,
  }
}

test('thirty days have passed when a server that starts each day, or each week, has seen them', () => {
  for (const every of [1, 7]) {
    const { days, start, now } = open()
    start(0)
    for (let passed = every; passed <= 30; passed += every) {
      start(every)
      expect(days.before(30)).toBeUndefined()
    }
    start(every)
    const before = days.before(30) ?? 0
    expect(before).toBeLessThanOrEqual(now() - 30 * day)
    expect(before).toBeGreaterThanOrEqual(epoch)
  }
})

test('a clock set a year forward makes no more of them pass than a week', () => {
  const { days, start } = open()
  start(0)
  start(365)
  expect(days.before(8)).toBeUndefined()
  start(-365)
  for (let passed = 1; passed <= 7; passed++) start(1)
  expect(days.before(8)).toBeUndefined()
})

test('nothing younger than the days asked for is ever taken for older, however the clock is set', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -400, max: 400 }), { maxLength: 40 }), (jumps) => {
      const { days, start, now } = open()
      for (const jump of jumps) {
        start(jump)
        // An agent removed now survives one more clock jump of any size.
        const removedAt = now()
        start(400)
        const before = days.before(30)
        expect(before === undefined || before <= removedAt).toBe(true)
        start(-400)
      }
    }),
  )
})
