import { expect, test } from 'vitest'
import { z } from 'zod'
import { shapeOf } from './shape'

test.each([
  [z.string(), 'string'],
  [z.int().nullable(), 'number | null'],
  [z.enum(['a', 'b']), '"a" | "b"'],
  [z.literal(1), '1'],
  [z.unknown(), 'any'],
  [z.array(z.string()), 'string[]'],
  [z.array(z.union([z.string(), z.number()])), '(string | number)[]'],
  [z.tuple([z.number(), z.string()]), '[number, string]'],
  [z.record(z.string(), z.boolean()), '{ [key: string]: boolean }'],
  [z.strictObject({}), '{}'],
  [z.strictObject({ a: z.string(), b: z.number().optional() }), '{ a: string, b?: number }'],
  [z.array(z.strictObject({ a: z.string() })), '{ a: string }[]'],
])('%# is written as %s', (schema, text) => {
  expect(shapeOf(z.toJSONSchema(schema))).toBe(text)
})

test('a reference is written as its name', () => {
  expect(shapeOf({ $ref: '#/components/schemas/Agent' })).toBe('Agent')
})

test('an object too long for a line takes a line for each of its keys', () => {
  const long = Object.fromEntries([...'abc'].map((key) => [key.repeat(40), z.string()]))
  expect(shapeOf(z.toJSONSchema(z.strictObject({ inner: z.strictObject(long) })))).toBe(
    `{\n  inner: {\n    ${'a'.repeat(40)}: string\n    ${'b'.repeat(40)}: string\n    ${'c'.repeat(40)}: string\n  }\n}`,
  )
})
