import { expect, test } from 'vitest'
import { axisOf, tickWriter } from './axis'

const start = 1_000_000
const axis = (seconds: number, waits: readonly (readonly [number, number | null])[] = [], isLive = false) =>
  axisOf({
    start,
    end: start + seconds * 1_000,
    isLive,
    playhead: null,
    waits: waits.map(([from, to]) => ({
      from: start + from * 1_000,
      to: to === null ? null : start + to * 1_000,
    })),
    before: null,
  })
const labels = (shown: ReturnType<typeof axis>) =>
  shown.ticks.flatMap(({ label }) => (label === null ? [] : [label]))

test.each([
  [0.4, ['0 ms', '100 ms', '200 ms', '300 ms']],
  [2.4, ['0 s', '0.5 s', '1.0 s', '1.5 s', '2.0 s']],
  [21, ['0 s', '5 s', '10 s', '15 s']],
  [300, ['0:00', '0:50', '1:40', '2:30', '3:20', '4:10']],
  [7_200, ['0:00', '33:20', '1:06:40', '1:40:00']],
])('an axis of %s s is labelled in one unit', (seconds, expected) => {
  expect(labels(axis(seconds))).toEqual(expected)
})

test('a break says how long the wait took, and the labels after it are true times', () => {
  const shown = axis(100, [[4, 96]])
  expect(shown.breaks.map(({ words, hasRoom }) => [words, hasRoom])).toEqual([['1 min 32 s', true]])
  expect(labels(shown)).toEqual(['0 s', '2 s', '98 s'])
  expect(shown.ticks.some(({ label }) => label === null)).toBe(true)
})

test('several breaks show no words where there is no room for them', () => {
  const waits = Array.from({ length: 8 }, (_, index) => [index * 100 + 1, index * 100 + 99] as const)
  const { breaks, span } = axis(800, waits)
  expect(breaks.map(({ hasRoom }) => hasRoom)).toEqual(Array.from({ length: 8 }, () => false))
  expect(breaks.every(({ at }, index) => at > (breaks[index - 1]?.at ?? -1) && at < span)).toBe(true)
})

test('while a wait lasts the axis does not grow, and its scale stays the same object', () => {
  const first = axis(20, [[4, null]], true)
  const input = {
    start,
    end: start + 60_000,
    isLive: true,
    playhead: null,
    waits: [{ from: start + 4_000, to: null }],
  }
  const later = axisOf({ ...input, before: first.scale })
  expect(later.span).toBe(first.span)
  expect(later.scale).toBe(first.scale)
  expect(later.breaks.map(({ words }) => words)).toEqual(['56.0 s'])
})

test('ticks after an hour of waiting are written with separators, not as a clock, when they are close', () => {
  expect(tickWriter(3_601_500, 500)(3_601_500)).toBe('3,601.5 s')
})
