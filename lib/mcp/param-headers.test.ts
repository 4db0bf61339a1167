import { expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { faultOfMarks } from './param-headers'
import { readToolList } from './tool-list'

const marked = (mark: unknown, type: unknown = 'string'): JsonObject =>
  ({ type, 'x-mcp-header': mark }) as JsonObject // cast: of JSON values
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
})

test.each<[string, JsonObject]>([
  ['no mark', object({ a: { type: 'string' } })],
  ['marks of three types', object({ a: marked('A'), b: marked('B', 'integer'), c: marked('C', 'boolean') })],
  ['a mark in an object in an object', object({ a: object({ b: object({ c: marked('Region') }) }) })],
  ['a parameter with the name of the mark', object({ 'x-mcp-header': { type: 'string' } })],
  ['a parameter with the name of a keyword', object({ items: marked('Items') })],
  ['a default that looks like a mark', object({ a: { type: 'object', default: { 'x-mcp-header': '' } } })],
])('S1-05 a schema with %s is valid', (_, schema) => {
  expect(faultOfMarks(schema)).toBeUndefined()
})

const misplaced = /does not belong to a parameter/
test.each<[string, JsonObject, RegExp]>([
  ['an empty mark', object({ a: marked('') }), /not the name of a header/],
  ['a mark that is a number', object({ a: marked(7) }), /not the name of a header/],
  ['a mark with a space', object({ a: marked('My Region') }), /not the name of a header/],
  ['a mark with a line break', object({ a: marked('A\r\nHost: b') }), /not the name of a header/],
  ['a mark on a number', object({ a: marked('A', 'number') }), /“A” on a parameter that is not/],
  ['a mark on an object', object({ a: { ...object({}), 'x-mcp-header': 'A' } }), /is not a string/],
  ['a mark on several types', object({ a: marked('A', ['string', 'null']) }), /is not a string/],
  ['two marks that differ in case', object({ a: marked('Region'), b: marked('REGION') }), /twice/],
  ['a mark on the whole', object({}, { 'x-mcp-header': 'A' }), misplaced],
  ['a mark on the items of a list', object({ a: { type: 'array', items: marked('A') } }), misplaced],
  ['a mark in an alternative', object({ a: { anyOf: [{ type: 'null' }, marked('A')] } }), misplaced],
  ['a mark in a definition', object({}, { $defs: { a: object({ b: marked('A') }) } }), misplaced],
  ['a mark on further properties', object({}, { additionalProperties: marked('A') }), misplaced],
])('S1-05 a schema with %s is invalid', (_, schema, reason) => {
  expect(faultOfMarks(schema)).toMatch(reason)
})

test('S1-05 marks count only where arguments are repeated as headers', async () => {
  const tools = [{ name: 'look', inputSchema: object({ a: marked('') }) }]
  expect((await readToolList(async () => ({ tools }))).tools).toMatchObject([{ name: 'look' }])
  const { tools: kept, withheld } = await readToolList(async () => ({ tools }), true)
  expect(kept).toEqual([])
  expect(withheld).toMatchObject([{ name: 'look', reason: expect.stringContaining('x-mcp-header') }])
})
