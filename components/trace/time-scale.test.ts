import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  breakWidth,
  endPlace,
  idleOf,
  placeAt,
  type Scale,
  type Stretch,
  scaleOf,
  timeAt,
  unitsOf,
} from './time-scale'

const start = 1_000_000
const wait = (from: number, to: number | null): Stretch => ({
  from: start + from,
  to: to === null ? null : start + to,
})

/** The place of each moment as a whole percentage of the axis. */
function percents(scale: Scale, span: number, moments: readonly number[]): number[] {
  const width = breakWidth(scale.breaks.length, endPlace(scale, start + span).work)
  const whole = unitsOf(endPlace(scale, start + span), width)
  return moments.map((each) => Math.round((unitsOf(placeAt(scale, start + each), width) / whole) * 100))
}

test.each([
  ['no wait', [], 10_000, [0, 5_000, 10_000], [0, 50, 100]],
  ['a wait of at most 2 s', [wait(4_000, 6_000)], 10_000, [4_000, 6_000], [40, 60]],
  [
    'a wait of 90 s in 10 s of work',
    [wait(5_000, 95_000)],
    100_000,
    [0, 5_000, 50_000, 95_000],
    [0, 43, 50, 58],
  ],
  ['a wait that is no wider than a break', [wait(50_000, 53_000)], 100_000, [50_000, 53_000], [50, 53]],
  [
    'two waits, of which only one is long',
    [wait(2_000, 5_000), wait(50_000, 950_000)],
    1_000_000,
    [5_000, 50_000, 950_000],
    [4, 43, 57],
  ],
] as const)('%s has its place on the axis', (_, waits, span, moments, expected) => {
  expect(percents(scaleOf(start, start + span, waits), span, moments)).toEqual(expected)
})

test('a wait that has not ended stays as wide as it is, and now is at its end', () => {
  const atPercent = (span: number) => {
    const scale = scaleOf(start, start + span, [wait(4_000, null)])
    const width = breakWidth(1, 4_000)
    const now = unitsOf(endPlace(scale, start + span), width)
    return [scale.breaks.length, Math.round((unitsOf(placeAt(scale, start + 4_000), width) / now) * 100)]
  }
  expect(atPercent(10_000)).toEqual([1, 85])
  expect(atPercent(3_600_000)).toEqual([1, 85])
})

test.each([
  ['one wait', [[1, 9]], [], [[1, 9]]],
  [
    'two calls that wait at the same time',
    [
      [1, 9],
      [2, 12],
    ],
    [],
    [[1, 12]],
  ],
  [
    'a call that runs during the wait',
    [[1, 9]],
    [[3, 5]],
    [
      [1, 3],
      [5, 9],
    ],
  ],
  ['a call that runs during the whole wait', [[1, 9]], [[0, 10]], []],
  [
    'a call that outlasts the wait',
    [
      [1, 9],
      [20, 30],
    ],
    [[6, 25]],
    [
      [1, 6],
      [25, 30],
    ],
  ],
  [
    'a wait that has not ended',
    [[1, null]],
    [[2, 3]],
    [
      [1, 2],
      [3, null],
    ],
  ],
  ['a call that has not ended', [[1, null]], [[4, null]], [[1, 4]]],
  [
    'calls one after another',
    [[1, 20]],
    [
      [2, 4],
      [3, 6],
      [8, 9],
    ],
    [
      [1, 2],
      [6, 8],
      [9, 20],
    ],
  ],
] as const)('%s: what remains is only waiting', (_, waits, works, expected) => {
  const stretches = (all: readonly (readonly [number, number | null])[]) =>
    all.map(([from, to]): Stretch => ({ from, to }))
  expect(idleOf(stretches(waits), stretches(works))).toEqual(stretches(expected))
})

/** A run's end, waits in it that do not overlap, and two moments in it. */
const runs = fc
  .uniqueArray(fc.integer({ min: 0, max: 4_000_000 }), { minLength: 3, maxLength: 24 })
  .map((all) => all.toSorted((a, b) => a - b))
  .map((times) => {
    const end = (times.at(-1) ?? 0) + 1
    const waits: Stretch[] = []
    for (let at = 0; at + 1 < times.length; at += 2) waits.push(wait(times[at] ?? 0, times[at + 1] ?? 0))
    return { end, waits, scale: scaleOf(start, start + end, waits) }
  })
const share = fc.double({ min: 0, max: 1, noNaN: true })

test('a later moment is never further left', () => {
  fc.assert(
    fc.property(runs, share, share, ({ end, scale }, one, other) => {
      const [before, after] = [Math.min(one, other), Math.max(one, other)]
      const width = breakWidth(scale.breaks.length, endPlace(scale, start + end).work)
      const at = (part: number) => unitsOf(placeAt(scale, start + part * end), width)
      expect(at(before)).toBeLessThanOrEqual(at(after) + 1e-6)
    }),
  )
})

test('each place leads back to its moment', () => {
  fc.assert(
    fc.property(runs, share, ({ end, scale }, part) => {
      const width = breakWidth(scale.breaks.length, endPlace(scale, start + end).work)
      const time = start + part * end
      // A break may be very long, so that a place in it stands for many milliseconds.
      expect(Math.abs(timeAt(scale, unitsOf(placeAt(scale, time), width), width) - time)).toBeLessThan(1)
    }),
  )
})

test('every break is narrower than its wait, and all together take at most half of the axis', () => {
  fc.assert(
    fc.property(runs, ({ end, scale }) => {
      const { work } = endPlace(scale, start + end)
      const count = scale.breaks.length
      const width = breakWidth(count, work)
      for (const { from, to } of scale.breaks) expect((to ?? start + end) - from).toBeGreaterThan(width)
      expect(count * width).toBeLessThanOrEqual(work * (1 + 1e-9) + 1)
    }),
  )
})
