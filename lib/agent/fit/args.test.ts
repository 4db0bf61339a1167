import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonSchema } from '#lib/spec/json'
import { nearestFirst } from '#lib/spec/nearest'
import { createTool } from '../rig.fixture'
import { fitArgs, readArgs } from './args'
import { misfit } from './misfit'

describe('arguments as the model wrote them (X-03, E-15)', () => {
  const readable: [string, string, JsonObject][] = [
    ['nothing', '', {}],
    ['only spaces', ' \n', {}],
    ['an empty text', '""', {}],
    ['null', 'null', {}],
    ['null as text', '"null"', {}],
    ['an object', '{"a": 1}', { a: 1 }],
    ['an object encoded once too often', JSON.stringify('{"a": 1}'), { a: 1 }],
    ['an object encoded twice too often', JSON.stringify(JSON.stringify('{"a": 1}')), { a: 1 }],
    ['keys that would change a prototype', '{"__proto__": {"x": 1}, "a": {"__proto__": 1}}', { a: {} }],
  ]
  test.each(readable)('%s are read', (_, raw, args) => {
    const read = readArgs(raw)
    expect(read).toEqual({ args })
    expect('args' in read && Object.getOwnPropertyNames(read.args)).toEqual(Object.keys(args))
  })

  const unreadable: [string, string, string][] = [
    ['a list', '[{"a": 1}]', 'not of type array'],
    ['a list as text', '"[1]"', 'not of type array'],
    ['a number', '3', 'not of type integer'],
    ['a text', '"orders"', 'not of type string'],
    [
      'an object encoded three times too often',
      JSON.stringify(JSON.stringify(JSON.stringify('{}'))),
      'not of type string',
    ],
    ['half an object', '{"a": ', 'not valid JSON'],
    ['two objects', '{}{}', 'not valid JSON'],
    ['bottomless ones', `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`, 'more than 64 levels'],
  ]
  test.each(unreadable)('%s are refused, never made into something', (_, raw, message) => {
    expect(readArgs(raw)).toMatchObject({ invalid: { message: expect.stringContaining(message) } })
  })
})

const order: JsonSchema = {
  type: 'object',
  properties: {
    count: { type: 'integer', minimum: 1 },
    share: { type: 'number' },
    loud: { type: 'boolean' },
    name: { type: 'string' },
    kind: { enum: ['big', 'small'] },
    code: { type: 'string', pattern: '^[a-z]+$' },
    either: { anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
    maybe: { type: ['string', 'null'] },
    tags: { type: 'array', items: { type: 'string' } },
    place: { $ref: '#/$defs/place' },
    places: { type: 'array', items: { $ref: '#/$defs/place' } },
  },
  required: ['count'],
  additionalProperties: false,
  $defs: {
    place: {
      type: 'object',
      properties: { x: { type: 'number' }, near: { $ref: '#/$defs/place' } },
      required: ['x'],
      additionalProperties: false,
    },
  },
}
const tool = createTool('order', { parameters: order })

describe('arguments in the wrong form', () => {
  const mended: [string, JsonObject, JsonObject][] = [
    ['text of a whole number', { count: ' 3' }, { count: 3 }],
    ['text of a fraction', { count: 1, share: '-2.5e1' }, { count: 1, share: -25 }],
    ['text of a truth', { count: 1, loud: 'false' }, { count: 1, loud: false }],
    ['a whole number for text', { count: 1, name: 42 }, { count: 1, name: '42' }],
    ['a truth for text', { count: 1, name: true }, { count: 1, name: 'true' }],
    ['null for what may be left out', { count: 1, name: null, place: null }, { count: 1 }],
    ['null where null is meant', { count: '1', maybe: null }, { count: 1, maybe: null }],
    ['text of a list', { count: 1, tags: '["a"]' }, { count: 1, tags: ['a'] }],
    ['text of an object', { count: 1, place: '{"x": "1"}' }, { count: 1, place: { x: 1 } }],
    ['items', { count: 1, tags: [1, 'b'] }, { count: 1, tags: ['1', 'b'] }],
    [
      'what lies deep',
      { count: 1, places: [{ x: 1, near: { x: '2' } }] },
      { count: 1, places: [{ x: 1, near: { x: 2 } }] },
    ],
    ['one of several types', { count: 1, either: '3' }, { count: 1, either: 3 }],
    ['another of several types', { count: 1, either: 'true' }, { count: 1, either: true }],
  ]
  test.each(mended)('are put right: %s', (_, args, expected) => {
    const before = structuredClone(args)
    expect(fitArgs(tool, args)).toEqual({ args: expected })
    expect(args, 'what the model sent stays on record').toEqual(before)
  })

  const refused: [string, JsonObject, string][] = [
    ['words for a number', { count: 'three' }, 'count: is a string ("three"), expected integer'],
    ['a fraction for a whole number', { count: '1.5' }, 'count: is a string ("1.5"), expected integer'],
    ['a number too long to be kept', { count: '12345678901234567890' }, 'count: is a string'],
    ['a fraction for text', { count: 1, name: 1.5 }, 'name: is a number (1.5), expected string'],
    ['a yes for a truth', { count: 1, loud: 'yes' }, 'loud: is a string ("yes"), expected boolean'],
    ['one item for a list', { count: 1, tags: 'a' }, 'tags: is a string ("a"), expected array'],
    ['null for what is needed', { count: null }, 'count: is null (null), expected integer'],
    ['too small', { count: '0' }, 'count: 0 is less than 1'],
    ['no such choice', { count: 1, kind: 'Big' }, 'kind: is "Big", expected one of ["big","small"]'],
    ['another pattern', { count: 1, code: 'A1' }, 'code: is "A1", expected text that matches "^[a-z]+$"'],
    [
      'none of several types',
      { count: 1, either: 'x' },
      'either: is a string ("x"), expected integer or boolean',
    ],
    ['a key that is missing', {}, 'count: is missing, expected integer'],
    ['a misspelt key', { count: 1, nmae: 'x' }, 'nmae: is not known; known: name, '],
    [
      'a misspelt key deep down',
      { count: 1, place: { x: 1, naer: 1 } },
      'place/naer: is not known; known: near, x',
    ],
  ]
  test.each(refused)('are told, by place and expectation: %s (S0-21, S1-21, L18)', (_, args, message) => {
    expect(fitArgs(tool, args)).toMatchObject({
      invalid: { code: 'args_schema', message: expect.stringContaining(`do not fit order: ${message}`) },
    })
  })

  test('what fits is left as it is, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.object({ key: fc.constantFrom('count', 'name', 'tags', 'place', 'x'), maxDepth: 3 }),
        (given) => {
          const args: JsonObject = JSON.parse(JSON.stringify(given))
          if (misfit(order, args) === undefined) expect(fitArgs(tool, args)).toEqual({ args })
        },
      ),
    )
  })

  test('what is put right fits', () => {
    const value = fc.oneof(
      fc.constantFrom('1', 'true', '[]', '["1"]', '{"x":"1"}', null, 1, true),
      fc.jsonValue(),
    )
    const keys = Object.fromEntries(Object.keys(order.properties ?? {}).map((key) => [key, value]))
    fc.assert(
      fc.property(fc.record(keys, { requiredKeys: [] }), (given) => {
        const fit = fitArgs(tool, JSON.parse(JSON.stringify(given)))
        if ('args' in fit) expect(misfit(order, fit.args)).toBeUndefined()
      }),
      { numRuns: 300 },
    )
  }, 60_000)

  test('a schema that leads nowhere or in circles holds nobody up', () => {
    const circle: JsonSchema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' }, b: { type: 'integer' } },
      $defs: {
        a: { $ref: '#/$defs/b' },
        b: { anyOf: [{ type: 'object', properties: { a: { $ref: '#/$defs/a' } } }] },
      },
    }
    expect(fitArgs(createTool('c', { parameters: circle }), { a: { a: { a: {} } }, b: '1' })).toEqual({
      args: { a: { a: { a: {} } }, b: 1 },
    })
    const nowhere = createTool('n', {
      parameters: { type: 'object', properties: { a: { $ref: '#/$defs/x' } } },
    })
    expect(fitArgs(nowhere, { a: 1 })).toMatchObject({
      invalid: { message: expect.stringContaining('schema') },
    })
    const self: JsonSchema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' }, b: { type: 'integer' } },
      $defs: { a: { $ref: '#/$defs/a' } },
    }
    expect(fitArgs(createTool('s', { parameters: self }), { b: '1' })).toEqual({ args: { b: 1 } })
  })
})

test('the nearest of the names come first, case and separators apart (E-21)', () => {
  const names = ['files.read', 'sql.execute', 'schema.list_tables']
  expect(nearestFirst('SQL_Execute', names)[0]).toBe('sql.execute')
  expect(nearestFirst('list_tables', names)[0]).toBe('schema.list_tables')
  expect(nearestFirst('', ['a', 'b'])).toEqual(['a', 'b'])
})

describe('S4-03 an argument under another name', () => {
  const tool = (keys: string[]) =>
    createTool('finish', {
      argumentAliases: { response: 'answer' },
      parameters: {
        type: 'object',
        properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])),
        additionalProperties: false,
      },
    })

  test('counts as the argument', () => {
    expect(fitArgs(tool(['answer']), { response: 'a' })).toEqual({ args: { answer: 'a' } })
  })

  test('does not count when the argument itself was sent, or the tool has an argument of that name', () => {
    expect(fitArgs(tool(['answer']), { answer: 'a', response: 'b' })).toHaveProperty('invalid')
    expect(fitArgs(tool(['answer', 'response']), { response: 'b' })).toEqual({ args: { response: 'b' } })
    expect(fitArgs(tool(['total']), { response: 'b' })).toHaveProperty('invalid')
  })
})
