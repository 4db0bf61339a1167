/** Checks the whole API description against the record; the order of its keys may change. */
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Json, readFact, recorded, recordsWords, withoutWords, writeFact } from './facts'
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
  expect(withoutWords(found, words)).toEqual(withoutWords(known, words))
})

test('the description of the API has the recorded words', () => {
  const known = readFact<Json>(file)
  if (recordsWords && isDeepStrictEqual(withoutWords(found, words), withoutWords(known, words)))
    writeFact(file, found)
  expect(found).toEqual(readFact(file))
})
