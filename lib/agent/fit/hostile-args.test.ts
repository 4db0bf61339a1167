import { expect, test } from 'vitest'
import type { JsonObject, JsonSchema } from '#lib/spec/json'
import { readOutput } from '../request/output'
import { createTool } from '../rig.fixture'
import { fitArgs } from './args'
import { misfit } from './misfit'

const twice = { $ref: '#/$defs/a' }
const nested: JsonObject = JSON.parse(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`)

test.each<[string, JsonSchema, JsonObject]>([
  [
    'reads a value in ever more ways',
    {
      type: 'object',
      ...twice,
      $defs: { a: { anyOf: [{ properties: { a: twice } }, { properties: { a: twice } }] } },
    },
    nested,
  ],
  [
    'would be put right in ever more ways',
    {
      type: 'object',
      properties: { a: twice },
      $defs: {
        a: {
          anyOf: [
            { type: 'string', properties: { a: twice } },
            { type: 'number', properties: { a: twice } },
          ],
        },
      },
    },
    nested,
  ],
  [
    'refers to itself alone',
    { type: 'object', properties: { a: { anyOf: [{ $ref: '#/properties/a' }] } } },
    { a: null },
  ],
  ['looks ahead', { type: 'object', properties: { a: { type: 'string', pattern: '^(?=x)' } } }, { a: 'x' }],
])(
  'a schema that %s makes a call invalid and an answer unfit, at once and with a reason',
  (_, parameters, args) => {
    const before = performance.now()
    expect(fitArgs(createTool('hostile', { parameters }), args)).toMatchObject({
      invalid: { code: 'args_schema', message: expect.stringContaining('do not fit hostile: ') },
    })
    expect(readOutput(JSON.stringify(args), parameters)).toMatchObject({ ok: false })
    expect(performance.now() - before).toBeLessThan(5_000)
  },
)

test('what is wrong with a large value is told in few words', () => {
  const wrong = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`key_${n}`, 'x'.repeat(50)]))
  const said = misfit({ type: 'object', properties: {}, additionalProperties: false }, wrong)
  expect(said).toContain('key_0: is not known')
  expect(said?.length).toBeLessThan(3_000)
  expect(misfit({ const: 1 }, { long: 'x'.repeat(1_000_000) })?.length).toBeLessThan(500)
})
