/** The operations of an entry against those of its document: which have changed, and which are searched for. */
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import type { OperationFace } from '#lib/wire/openapi-documents'

export function documentNameIn(value: JsonValue | undefined): string {
  return isObject(value) && typeof value.name === 'string' ? value.name : ''
}

/** An operation of an entry, as far as it is shown. */
export interface ChosenOperation {
  readonly name: string
  readonly method: string
  readonly path: string
  /** `same` also where the document is not here. */
  readonly standing: 'same' | 'changed' | 'gone'
  readonly definition: JsonObject
}

export function chosenOperations(
  value: JsonValue | undefined,
  list: readonly OperationFace[] | undefined,
): ChosenOperation[] {
  const now = list && new Map(list.map(({ name, hash }) => [name, hash]))
  return (Array.isArray(value) ? value : []).filter(isObject).map((definition): ChosenOperation => {
    const { name, method, path, hash } = definition
    const current = typeof name === 'string' ? now?.get(name) : undefined
    const isSame = now === undefined || current === hash
    return {
      name: String(name),
      method: typeof method === 'string' ? method : 'GET',
      path: String(path),
      standing: isSame ? 'same' : current === undefined ? 'gone' : 'changed',
      definition,
    }
  })
}

/** Every word must be in the name, the path, the method, the summary or a tag. */
export function searchOperations(list: readonly OperationFace[], query: string): readonly OperationFace[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return list
  return list.filter(({ name, method, path, summary, tags }) => {
    const text = [name, method, path, summary, ...tags].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** The schemes that the chosen operations need, each once. */
export function schemesNeeded(value: JsonValue | undefined): string[] {
  const operations = (Array.isArray(value) ? value : []).filter(isObject)
  const names = operations.flatMap(({ security }) => (Array.isArray(security) ? security.flat() : []))
  return [...new Set(names.filter((each) => typeof each === 'string'))]
}

/** What a model reads of an operation and what is sent, in one order, so that two of them can be compared by lines. */
export function definitionLines(definition: JsonObject): string {
  const { method, path, description = '', parameters, inputs, body, security = [] } = definition
  const placed = (Array.isArray(inputs) ? inputs : []).filter(isObject)
  const inOrder = {
    ...{ method: method ?? 'GET', path, description, parameters },
    inputs: placed.map(({ argument, in: place, name, style = 'plain' }) => ({
      argument,
      in: place,
      name,
      style,
    })),
    ...(body !== undefined && { body }),
    security,
  }
  return JSON.stringify(inOrder, null, 2)
}
