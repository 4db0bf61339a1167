import { expect, test } from 'vitest'
import { isFigure } from './figure-columns'

test.each(['3,734,218.75', '812', '41 %', '+3 %', '−12', '$0.04', '≈ 900', '12 ms', '1.9 kB', '5€'])(
  '%s is a figure',
  (text) => {
    expect(isFigure(text)).toBe(true)
  },
)

test.each(['', '–', 'Germany', '2 apples and more', 'v2', '2026-11-22', '10:30', 'Step 3'])(
  '“%s” is not a figure',
  (text) => {
    expect(isFigure(text)).toBe(false)
  },
)
