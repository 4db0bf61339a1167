import { expect, test } from 'vitest'
import type { AddedOpenapiDocument } from '#lib/wire/openapi-documents'
import { changeWords } from './change-words'

const words = (changes: AddedOpenapiDocument['changes'], isUsed = false) => {
  const usedBy = isUsed ? [{ id: '1', name: 'a', title: 'A' }] : []
  const facts = {
    title: 'Pets',
    version: '',
    format: '3.0',
    hash: '',
    url: null,
    unusable: 0,
    updatedAt: 0,
  } as const
  return changeWords({ document: { ...facts, name: 'pets', operations: 2, usedBy }, changes })
}

test('a new document says how many operations it has', () => {
  expect(words(null)).toBe('pets was added with 2 operations.')
})
test('a document without changes says so', () => {
  expect(words({ added: [], changed: [], removed: [] }, true)).toBe(
    'pets was read again. No operation has changed.',
  )
})
test('changes are counted, and an agent that uses the document is advised', () => {
  const changes = { added: ['a'], changed: ['b', 'c'], removed: [] }
  expect(words(changes)).toBe('pets was read again: 1 added, 2 changed.')
  expect(words(changes, true)).toContain('until you have looked at them')
  expect(words({ ...changes, changed: [] }, true)).toBe('pets was read again: 1 added.')
})
