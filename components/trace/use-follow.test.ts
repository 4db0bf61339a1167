import { expect, test } from 'vitest'
import { toMiddle } from './use-follow'

/** A table that shows 300 px of its rows. */
const at = (scrollTop: number) => ({ scrollTop, clientHeight: 300 })

test.each([
  ['a row in the middle third stays where it is', 100, 250, 100],
  ['a row below it moves up to its lower edge', 0, 400, 224],
  ['a row above it moves down to its upper edge', 500, 400, 300],
  ['the first rows cannot reach it', 60, 24, 0],
])('%s', (_, scrollTop, top, expected) => {
  expect(toMiddle(at(scrollTop), { top, height: 24 })).toBe(expected)
})
