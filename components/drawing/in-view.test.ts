import { expect, test } from 'vitest'
import { isInView, type ScreenBox } from './in-view'

const canvas = { width: 800, height: 600 }
const box = (left: number, top: number): ScreenBox => ({ left, top, right: left + 200, bottom: top + 50 })

test.each([
  ['in the middle', box(300, 200), true],
  ['touching the corner', box(600, 550), true],
  ['cut on the left', box(-1, 200), false],
  ['cut at the bottom', box(300, 551), false],
])('a card %s is in view: %s', (_, place, expected) => {
  expect(isInView(place, canvas)).toBe(expected)
})
