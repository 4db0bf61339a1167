import { expect, test } from 'vitest'
import { firstSentence } from './first-sentence'

test.each([
  ['One. Two.', 'One.'],
  ['Only one', 'Only one'],
  ['Finds lines; capitals do not matter.', 'Finds lines.'],
  ['Reads web.fetch results. More.', 'Reads web.fetch results.'],
])('of “%s” is “%s”', (text, first) => {
  expect(firstSentence(text)).toBe(first)
})
