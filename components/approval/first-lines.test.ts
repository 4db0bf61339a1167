import { expect, it } from 'vitest'
import { firstLines } from './first-lines'

it('gives the first lines of a text and counts the others', () => {
  expect(firstLines('a', 3)).toEqual({ text: 'a', more: 0 })
  expect(firstLines('a\nb\nc', 3)).toEqual({ text: 'a\nb\nc', more: 0 })
  expect(firstLines('a\nb\nc\n', 3)).toEqual({ text: 'a\nb\nc\n', more: 0 })
  expect(firstLines('a\nb\nc\nd\ne', 3)).toEqual({ text: 'a\nb\nc', more: 2 })
  expect(firstLines('\n\n\n\n', 1)).toEqual({ text: '', more: 3 })
})
