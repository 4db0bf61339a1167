import { expect, test } from 'vitest'
import { spanWords } from './span-words'

test.each([
  [0, '0 s'],
  [0.5, '0.5 s'],
  [45, '45 s'],
  [60, '1 min'],
  [90, '1 min 30 s'],
  [900, '15 min'],
  [5_400, '1 h 30 min'],
  [86_400, '1 day'],
  [604_800, '7 days'],
  [90_061.25, '1 day 1 h 1 min 1.25 s'],
])('%d seconds are written as %s', (seconds, words) => {
  expect(spanWords(seconds)).toBe(words)
})
