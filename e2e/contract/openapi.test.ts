/**
 * Checks the whole API description against the record. The order of its keys may change, and routes, optional
 * fields and values may be added; nothing recorded may go or change.
 */
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Json, knownPart, readFact, recorded, recordsWords, withoutWords, writeFact } from './facts'
import { ask } from './http'
import { openProduct, type Product } from './start'

const words = ['title', 'summary', 'description']
const file = 'openapi.json'
let product: Product
let found: Json
beforeAll(async () => {
  product = await openProduct()
  const server = await product.serve()
  const { info, ...document } = await ask<Record<string, Json>>(server.url, 'GET', '/api/openapi.json')
  found = { ...document, info: { ...(info as Record<string, Json>), version: '<version>' } } // cast: required by OpenAPI
})
afterAll(async () => {
  await product?.end()
})

test('the description of the API has the recorded form', () => {
  const known = recorded(file, found) as Json // cast: a JSON file
  expect(withoutWords(knownPart(found, known), words)).toEqual(withoutWords(known, words))
})

test('the description of the API has the recorded words', () => {
  const known = readFact<Json>(file)
  const part = knownPart(found, known) ?? null
  if (recordsWords && isDeepStrictEqual(withoutWords(part, words), withoutWords(known, words)))
    writeFact(file, part)
  expect(part).toEqual(readFact(file))
})
