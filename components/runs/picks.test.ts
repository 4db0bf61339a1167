import { expect, test } from 'vitest'
import { noPicks, type Picks, pick, pickAll, pickedOf } from './picks'

const rows = ['a', 'b', 'c', 'd', 'e']
const click = (picks: Picks, id: string, isRange = false) => pick(picks, { id, isRange, rows })

test('a click ticks a row, and another one unticks it', () => {
  const one = click(noPicks, 'b')
  expect(pickedOf(one, rows)).toEqual(['b'])
  expect(pickedOf(click(one, 'b'), rows)).toEqual([])
})

test.each([
  ['b', 'd', ['b', 'c', 'd']],
  ['d', 'b', ['b', 'c', 'd']],
  ['c', 'c', []],
])('Shift ticks the range from %s to %s', (from, to, expected) => {
  expect(pickedOf(click(click(noPicks, from), to, true), rows)).toEqual(expected)
})

test('Shift on a ticked row unticks the range', () => {
  const all = pickAll(noPicks, rows)
  expect(pickedOf(click(click(all, 'b'), 'd', true), rows)).toEqual(['a', 'e'])
})

test('Shift without a row before it, or with one that is gone, ticks the one row', () => {
  expect(pickedOf(click(noPicks, 'c', true), rows)).toEqual(['c'])
  expect(pickedOf(click({ ids: new Set(['x']), last: 'x' }, 'c', true), rows)).toEqual(['c'])
})

test('all are ticked, then none', () => {
  const all = pickAll(click(noPicks, 'a'), rows)
  expect(pickedOf(all, rows)).toEqual(rows)
  expect(pickedOf(pickAll(all, rows), rows)).toEqual([])
})
