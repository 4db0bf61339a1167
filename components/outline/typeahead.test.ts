import { expect, test } from 'vitest'
import { createTyped, rowThatBegins } from './typeahead'

const rows = ['Agent', 'Calculate', 'Time now', 'Time limit', 'Clock'].map((title) => ({ key: title, title }))

test.each([
  ['t', 'Agent', 'Time now'],
  ['t', 'Time now', 'Time limit'],
  ['tt', 'Time limit', 'Time now'],
  ['time l', 'Time now', 'Time limit'],
  ['time', 'Time now', 'Time now'],
  ['c', 'Clock', 'Calculate'],
  ['x', 'Agent', undefined],
])('“%s” from “%s” goes to %s', (letters, current, found) => {
  expect(rowThatBegins(rows, current, letters)).toBe(found)
})

test('letters add up until a pause', () => {
  const typed = createTyped()
  typed.add('T', 1_000)
  expect(typed.add('i', 1_500)).toBe('ti')
  expect(typed.letters(1_900)).toBe('ti')
  expect(typed.letters(2_300)).toBe('')
  expect(typed.add('m', 2_300)).toBe('m')
})

test('on a slow page the pause begins when the row of the last letter is shown', () => {
  const typed = createTyped()
  typed.add('u', 1_000)
  typed.shown(2_600)
  expect(typed.letters(2_900)).toBe('u')
  expect(typed.letters(3_400)).toBe('')
})
