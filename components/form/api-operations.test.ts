import { describe, expect, test } from 'vitest'
import type { JsonValue } from '#lib/spec/json'
import type { OperationFace } from '#lib/wire/openapi-documents'
import {
  chosenOperations,
  definitionLines,
  documentNameIn,
  schemesNeeded,
  searchOperations,
} from './api-operations'

const face = (name: string, more: Partial<OperationFace> = {}): OperationFace => ({
  ...{ name, method: 'GET', path: `/${name}`, summary: '', tags: [], isDeprecated: false, security: [] },
  ...{ hash: `sha256:${name}`, ...more },
})

describe('the operations of an entry', () => {
  const chosen: JsonValue = [
    { name: 'a', path: '/a', hash: 'sha256:a' },
    { name: 'b', method: 'POST', path: '/b', hash: 'sha256:old' },
    { name: 'c', path: '/c', hash: 'sha256:c' },
  ]
  const standings = (list: readonly OperationFace[] | undefined) =>
    chosenOperations(chosen, list).map(({ name, standing }) => `${name} ${standing}`)

  test('have changed or are gone where the document says otherwise', () => {
    expect(standings([face('a'), face('b')])).toEqual(['a same', 'b changed', 'c gone'])
  })
  test('are as they were where the document is not here', () => {
    expect(standings(undefined)).toEqual(['a same', 'b same', 'c same'])
  })
})

test('a search needs every word, in any place', () => {
  const list = [face('getPet', { summary: 'One animal', tags: ['zoo'] }), face('addPet', { method: 'POST' })]
  const found = (query: string) => searchOperations(list, query).map(({ name }) => name)
  expect(found('')).toEqual(['getPet', 'addPet'])
  expect(found('  PET post ')).toEqual(['addPet'])
  expect(found('zoo animal')).toEqual(['getPet'])
  expect(found('fish')).toEqual([])
})

test('the schemes of all operations are listed once', () => {
  const operations: JsonValue = [{ security: [['key'], ['login', 'key']] }, { security: [[], ['token']] }, {}]
  expect(schemesNeeded(operations)).toEqual(['key', 'login', 'token'])
  expect(schemesNeeded(undefined)).toEqual([])
})

test('the name of a document is read from its reference', () => {
  expect(documentNameIn({ name: 'pets', hash: 'x' })).toBe('pets')
  expect(documentNameIn(undefined)).toBe('')
})

test('two definitions have the same lines whatever the order of their keys and defaults', () => {
  const input = { argument: 'id', in: 'path', name: 'id' }
  const one = {
    name: 'a',
    path: '/a',
    method: 'GET',
    parameters: { type: 'object' },
    inputs: [input],
    hash: 'x',
  }
  const other = {
    ...{ hash: 'y', security: [], description: '' },
    ...one,
    inputs: [{ style: 'plain', ...input }],
  }
  expect(definitionLines(one)).toBe(definitionLines(other))
  expect(definitionLines({ ...one, path: '/b' })).not.toBe(definitionLines(one))
})
