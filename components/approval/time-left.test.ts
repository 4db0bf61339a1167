import { expect, test } from 'vitest'
import { clock } from './time-left'

test('what is left is told to the second, and never below zero', () => {
  expect(clock(898_000)).toBe('14:58')
  expect(clock(897_100)).toBe('14:58')
  expect(clock(3_723_000)).toBe('1:02:03')
  expect(clock(9_000)).toBe('0:09')
  expect(clock(-5)).toBe('0:00')
})
