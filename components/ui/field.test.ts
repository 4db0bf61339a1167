import { expect, test } from 'vitest'
import { stepValue } from './field'

test('an arrow adds one, ten with Shift, and stays within bounds', () => {
  expect(stepValue({ from: 3, by: 1, isLarge: false })).toBe(4)
  expect(stepValue({ from: 3, by: -1, isLarge: true })).toBe(-7)
  expect(stepValue({ from: 3, by: -1, isLarge: true, min: 1 })).toBe(1)
  expect(stepValue({ from: 49, by: 1, isLarge: true, max: 50 })).toBe(50)
})

test('tenths stay tenths, and nothing begins where it may', () => {
  expect(stepValue({ from: 0.2, by: 1, step: 0.1, isLarge: false })).toBe(0.3)
  expect(stepValue({ from: undefined, by: 1, isLarge: false, min: 1 })).toBe(2)
})
