import { expect, test } from 'vitest'
import { likelyNames } from './nearest'

test.each([
  ['custmers', ['customers', 'invoices'], ['customers'], true],
  ['Invoice-Id', ['invoice_id', 'invoices'], ['invoice_id', 'invoices'], true],
  ['nam', ['name', 'nave'], ['name'], true],
  ['nime', ['name', 'nine'], ['name', 'nine'], false],
  ['totl', ['total', 'title'], ['total', 'title'].slice(0, 1), true],
  ['zzzz', ['name', 'city'], [], false],
  ['a', ['b', 'c'], [], false],
] as const)('%s could mean the names that differ least', (word, words, names, isClear) => {
  expect(likelyNames(word, words)).toEqual({ names, isClear })
})
