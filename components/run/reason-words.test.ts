import { expect, test } from 'vitest'
import { reasonWords } from './reason-words'

test.each([
  ['skills denies sql.*', 'Blocked by “Allow or deny tools”: sql.*'],
  ['skills allows only math.*, time.*', 'Blocked by “Allow or deny tools”: only math.*, time.*'],
  ['its risk is write, and the limit is read', 'its risk is write, and the limit is read'],
])('the stored reason “%s” reads “%s”', (reason, words) => {
  expect(reasonWords(reason)).toBe(words)
})
