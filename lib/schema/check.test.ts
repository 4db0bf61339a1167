import { type Schema, Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countFor } from '#e2e/test-depth'
import type { JsonSchema, JsonValue } from '#lib/spec/json'
import { checkValue } from './check'

const keys = ['a', 'b', 'a/b', 'c~d é', '']
const key = fc.constantFrom(...keys)
const values = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'value' },
    fc.constantFrom<JsonValue>(
      null,
      true,
      false,
      0,
      1,
      1.5,
      3,
      -2,
      100,
      '',
      'a',
      'ab',
      'abc',
      '2024-01-01',
      '😀',
    ),
    fc.array(tie('value'), { maxLength: 4, depthIdentifier: 'value' }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true, depthIdentifier: 'value' }),
  ),
})).value

const bound = fc.constantFrom(0, 1, 2, 3)
const text = fc.constantFrom('^a', 'b$', '[ab]+', '^$', 'é', '/')
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object')

/** Schemas without `unevaluated…`, which only the root has: the other validator fails with it deeper down. */
const schemas = fc.letrec<{ schema: JsonSchema | boolean }>((tie) => {
  const inner = tie('schema')
  const list = fc.array(inner, { minLength: 1, maxLength: 3, depthIdentifier: 'schema' })
  const members = fc.dictionary(key, inner, { maxKeys: 3, noNullPrototype: true, depthIdentifier: 'schema' })
  const keyword = fc.oneof(
    { maxDepth: 3, depthIdentifier: 'schema' },
    fc.oneof(
      fc.record({ type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })) }),
      fc.record({ enum: fc.array(values, { minLength: 1, maxLength: 4 }) }),
      fc.record({ const: values }),
      fc.record({ minimum: bound, exclusiveMaximum: bound }, { requiredKeys: [] }),
      fc.record({ maximum: bound, exclusiveMinimum: bound }, { requiredKeys: [] }),
      fc.record({ multipleOf: fc.constantFrom(1, 0.5, 2, 0.1) }),
      fc.record({ minLength: bound, maxLength: bound, pattern: text }, { requiredKeys: [] }),
      fc.record({ format: fc.constantFrom('date', 'uri', 'email', 'nothing-known') }),
      fc.record({ required: fc.array(key, { maxLength: 3 }) }),
      fc.record({ minProperties: bound, maxProperties: bound }, { requiredKeys: [] }),
      fc.record({
        dependentRequired: fc.dictionary(key, fc.array(key, { maxLength: 2 }), {
          maxKeys: 2,
          noNullPrototype: true,
        }),
      }),
      fc.record({ minItems: bound, maxItems: bound, uniqueItems: fc.boolean() }, { requiredKeys: [] }),
      fc.record({ $ref: fc.constantFrom('#/$defs/x', '#/$defs/y%20z', '#y') }),
      fc.record({ title: fc.string(), unknown: values }),
    ),
    fc.record({ not: inner }),
    fc.record({ anyOf: list }),
    fc.record({ allOf: list }),
    fc.record({ oneOf: list }),
    fc.dictionary(fc.constantFrom('if', 'then', 'else'), inner, { maxKeys: 3, noNullPrototype: true }),
    fc.record({ properties: members, additionalProperties: inner }, { requiredKeys: [] }),
    fc.record(
      {
        patternProperties: fc.dictionary(text, inner, { maxKeys: 2, noNullPrototype: true }),
        additionalProperties: inner,
      },
      { requiredKeys: [] },
    ),
    fc.record({ propertyNames: inner }),
    fc.record({ dependentSchemas: members }),
    fc.record({ items: inner }),
    fc.record({ prefixItems: list, items: inner }, { requiredKeys: [] }),
    fc.record({ prefixItems: list }),
    fc.record({ contains: inner, minContains: bound, maxContains: bound }, { requiredKeys: ['contains'] }),
  )
  return {
    schema: fc.oneof(
      { weight: 1, arbitrary: fc.boolean() },
      {
        weight: 8,
        arbitrary: fc
          .array(keyword, { maxLength: 3 })
          .map((parts): JsonSchema => Object.assign({}, ...parts)),
      },
    ),
  }
}).schema

/** Documents without cycles: the definitions in `$defs` contain no references. */
const documents = fc
  .tuple(
    schemas,
    schemas,
    schemas,
    fc.record({ unevaluatedProperties: schemas, unevaluatedItems: schemas }, { requiredKeys: [] }),
  )
  .map(([root, x, y, unevaluated]): JsonSchema => {
    const plain = <T>(schema: T): T =>
      JSON.parse(JSON.stringify(schema).replace(/"\$ref":"[^"]*"/g, '"$comment":""'))
    const isObject = typeof root === 'object'
    const around = isObject ? root : { not: !root }
    const anchored = plain(y)
    return {
      ...around,
      ...unevaluated,
      $defs: {
        x: plain(x),
        'y z': typeof anchored === 'object' ? { ...anchored, $anchor: 'y' } : { $anchor: 'y' },
      },
    }
  })

describe('a schema', () => {
  test('says of a value what the validator before it said, finding by finding @deep', () => {
    fc.assert(
      fc.property(documents, values, (schema, value) => {
        // The other validator leaves marks in the schema it is given.
        const other = new Validator(structuredClone(schema) as Schema, '2020-12', false) // cast: its type is narrower
        const before = other.validate(value)
        const now = checkValue(schema, value)
        expect(now.verdict).toBe(before.valid ? 'fits' : 'misfit')
        if (now.verdict === 'misfit') expect(now.findings).toEqual(before.errors)
      }),
      { numRuns: countFor({ quick: 300, deep: 1_500 }) },
    )
  }, 120_000)
})

/** Our own table, ordered like the official test suite: what each keyword requires, and what it ignores. */
const table: [string, Record<string, unknown>, JsonValue[], JsonValue[]][] = [
  ['an empty schema', {}, [null, 1, 'a', [], {}], []],
  ['a type', { type: 'integer' }, [1, 1.0, -3], [1.5, '1', null, true]],
  ['several types', { type: ['string', 'null'] }, ['', null], [0, [], {}]],
  [
    'an enum of compounds',
    { enum: [{ a: 1, b: [2] }, [1], 0] },
    [{ b: [2], a: 1 }, [1], 0, -0],
    [{ a: 1 }, [1, 1], false],
  ],
  ['a const that is no number', { const: false }, [false], [0, null, '']],
  ['a const of a list', { const: [{ a: 'b' }] }, [[{ a: 'b' }]], [{ a: 'b' }, [], [{ a: 'b', c: 1 }]]],
  ['bounds', { minimum: 1, exclusiveMaximum: 3 }, [1, 2.9, 'x'], [0.9, 3]],
  ['multiples of a fraction', { multipleOf: 0.01 }, [0.07, 19.99, 0, 1e300, 'x'], [0.075, 1e-9]],
  ['lengths in code points', { minLength: 2, maxLength: 2 }, ['ab', '😀é', 5], ['😀', 'abc']],
  ['a pattern found anywhere', { pattern: 'a+' }, ['xaax', 4], ['', 'b']],
  ['a pattern by Unicode', { pattern: '^\\p{Script=Han}{2}$' }, ['漢字'], ['ab', '漢']],
  [
    'required keys, inherited ones apart',
    { required: ['toString', '__proto__'] },
    [1, JSON.parse('{"toString":1,"__proto__":1}')],
    [{}],
  ],
  [
    'keys that are like built-in ones',
    { properties: { constructor: { type: 'number' } } },
    [{}, { constructor: 1 }],
    [{ constructor: 'a' }],
  ],
  [
    'additional keys',
    { properties: { a: {} }, patternProperties: { '^x': { type: 'number' } }, additionalProperties: false },
    [{ a: 1, x1: 2 }, {}],
    [{ b: 1 }, { x: 'a' }],
  ],
  ['names of keys', { propertyNames: { maxLength: 2 } }, [{ ab: 1 }, []], [{ abc: 1 }]],
  ['counts of keys', { minProperties: 1, maxProperties: 2 }, [{ a: 1 }, []], [{}, { a: 1, b: 2, c: 3 }]],
  [
    'keys that ask for others',
    { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { minProperties: 2 } } },
    [{ a: 1, b: 1 }, { b: 1 }, { c: 1, d: 1 }],
    [{ a: 1 }, { c: 1 }],
  ],
  [
    'tuples',
    { prefixItems: [{ type: 'number' }, true], items: { type: 'string' } },
    [[], [1], [1, null, 'a']],
    [['a'], [1, 2, 3]],
  ],
  ['tuples of old', { items: [{ type: 'number' }], additionalItems: false }, [[1]], [['a'], [1, 2]]],
  [
    'what a list contains',
    { contains: { const: 1 }, minContains: 2, maxContains: 3 },
    [
      [1, 1],
      [1, 0, 1, 1],
    ],
    [[], [1], [1, 1, 1, 1]],
  ],
  ['lists with nothing that has to be in them', { contains: { const: 1 }, minContains: 0 }, [[], [2]], []],
  [
    'unique items',
    { uniqueItems: true },
    [[1, '1', true, [1], { a: 1 }], []],
    [
      [1, 1.0],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [0, -0],
    ],
  ],
  ['exactly one of several', { oneOf: [{ minimum: 2 }, { type: 'integer' }] }, [1, 2.5], [3, 1.5]],
  ['not', { not: { type: ['string', 'null'] } }, [1], ['a', null]],
  [
    'conditions',
    JSON.parse('{"if": {"minimum": 10}, "then": {"multipleOf": 10}, "else": {"multipleOf": 2}}'),
    [20, 4],
    [15, 3],
  ],
  [
    'what is left after schemas in place',
    {
      allOf: [{ properties: { a: true } }],
      anyOf: [{ required: ['b'], properties: { b: true } }, true],
      unevaluatedProperties: false,
    },
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ c: 1 }, { a: 1, c: 1 }],
  ],
  [
    'what no schema beside it may see',
    { allOf: [{ properties: { a: true } }, { unevaluatedProperties: false }] },
    [{}],
    [{ a: 1 }],
  ],
  [
    'items left over',
    { prefixItems: [true], contains: { type: 'string' }, unevaluatedItems: false },
    [[1, 'a']],
    [[1, 'a', 2]],
  ],
  [
    'a list of itself',
    { properties: { next: { $ref: '#' } }, additionalProperties: false },
    [{ next: { next: {} } }],
    [{ next: { x: 1 } }],
  ],
  [
    'a pointer with escapes',
    { $defs: { 'a/b%c~': { type: 'null' } }, $ref: '#/$defs/a~1b%25c~0' },
    [null],
    [1],
  ],
  ['an anchor', { $ref: '#it', $defs: { x: { $anchor: 'it', type: 'null' } } }, [null], [1]],
  [
    'a part with an address of its own',
    {
      $id: 'https://a.example/root',
      $ref: 'part',
      $defs: { x: { $id: 'part', $ref: '#/$defs/y', $defs: { y: { type: 'null' } } }, y: { type: 'string' } },
    },
    [null],
    ['a', 1],
  ],
  [
    'a reference beside other keywords',
    { $ref: '#/$defs/n', maximum: 3, $defs: { n: { type: 'number' } } },
    [2],
    [4, 'a'],
  ],
  ['keywords nobody knows', { 'x-order': 3, discriminator: {}, format: 'color' }, [1, 'a'], []],
]

describe('keywords', () => {
  test.each(table)('%s', (_, schema, fitting, others) => {
    for (const value of fitting)
      expect({ value, ...checkValue(schema, value) }).toEqual({ value, verdict: 'fits' })
    for (const value of others)
      expect({ value, ...checkValue(schema, value) }).toMatchObject({ value, verdict: 'misfit' })
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['a reference to nowhere', { $ref: '#/$defs/x' }, 'Unresolved $ref "#/$defs/x"'],
    ['a reference to another document', { $ref: 'https://a.example/schema.json' }, 'Unresolved $ref'],
    ['a reference to itself', { $ref: '#' }, 'refers to itself without end'],
    ['a pattern that cannot be matched', { pattern: '(?=a)b' }, 'look-ahead'],
    ['a pattern of keys that cannot be matched', { patternProperties: { '(a)\\1': true } }, 'back-reference'],
    ['a keyword of the wrong kind', { anyOf: 5 }, 'its “anyOf” is not a list'],
    ['a schema that is none', { not: 'x' }, 'neither an object nor true or false'],
  ])('%s is no ground to let a value through', (_, schema, why) => {
    for (const value of ['a', { a: 1 }] as JsonValue[]) {
      const checked = checkValue(schema, value)
      if (checked.verdict === 'unchecked') expect(checked.why).toContain(why)
    }
    const verdicts = (['a', { a: 1 }] as JsonValue[]).map((value) => checkValue(schema, value).verdict)
    expect(verdicts).toContain('unchecked')
  })
})
