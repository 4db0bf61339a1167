import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '#lib/spec/json'
import { apiOperation, type DocumentOperation } from '#lib/spec/openapi'
import { readDocument } from './read'

const document = (more: JsonObject, openapi = '3.0.3') =>
  JSON.stringify({ openapi, info: { title: 'Pets', version: '1' }, paths: {}, ...more })

function read(text: string) {
  const found = readDocument(text)
  if (!found.ok) throw new Error(found.error)
  return found.value
}

/** The one operation of a document. */
function operation(given: JsonObject, more: JsonObject = {}, path = '/pets/{id}'): DocumentOperation {
  const value = { get: given }
  const { operations } = read(document({ paths: { [path]: value }, ...more }))
  return operations[0] as DocumentOperation // cast: there is one
}

const id: JsonObject = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
const query = (name: string, schema: JsonValue = {}, more: JsonObject = {}) => ({
  name,
  in: 'query',
  schema,
  ...more,
})

describe('an OpenAPI document', () => {
  test('has its facts, and its servers with the values of their variables', () => {
    const variables = { region: { default: 'eu' } }
    const servers: JsonValue = [{ url: 'https://{region}.example.com/v1', variables }, { url: '/relative' }]
    const found = read(document({ servers, paths: { '/a': { get: {} } } }, '3.1.0'))
    expect(found).toMatchObject({ title: 'Pets', version: '1', format: '3.1' })
    expect(found.servers).toEqual(['https://eu.example.com/v1', '/relative'])
  })

  test('may be YAML with anchors', () => {
    const text = [
      'openapi: 3.1.0',
      'info: {title: Notes, version: 2}',
      'x: &text {type: string}',
      'paths:',
      '  /notes:',
      '    post:',
      '      operationId: addNote',
      '      requestBody: {content: {application/json: {schema: {type: object, properties: {text: *text}}}}}',
    ].join('\n')
    const [added] = read(text).operations
    expect(added).toMatchObject({ name: 'addNote', method: 'POST' })
    expect(added?.parameters.properties).toEqual({
      body: { type: 'object', properties: { text: { type: 'string' } } },
    })
  })

  test.each([
    ['{"swagger": "2.0"}', 'Swagger 2.0'],
    ['{"openapi": "4.0.0"}', '3.0 or 3.1'],
    ['[]', 'not an object'],
    ['{"openapi": "3.0.0"', 'not valid JSON'],
    ['a: [', 'not valid YAML'],
    [document({ paths: {} }), 'no operations'],
    [document({ paths: null }), 'no paths'],
    ['', 'not an object'],
  ])('%j is refused with one sentence', (text, why) => {
    expect(readDocument(text)).toMatchObject({ ok: false, error: expect.stringContaining(why) })
  })

  test('that repeats its anchors without end is refused', () => {
    const lines = Array.from({ length: 12 }, (_, index) => {
      const before = index === 0 ? '"x"' : `*a${index - 1}`
      return `a${index}: &a${index} [${Array.from({ length: 12 }, () => before).join(', ')}]`
    })
    expect(readDocument(`openapi: 3.0.0\n${lines.join('\n')}\npaths: {/a: {get: {}}}`)).toMatchObject({
      ok: false,
    })
  })

  test('whose references multiply is refused in bounded work', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => {
        const ref = { $ref: `#/components/schemas/S${index + 1}` }
        return [`S${index}`, { properties: Object.fromEntries([...'abcdefgh'].map((key) => [key, ref])) }]
      }),
    )
    const schema = { $ref: '#/components/schemas/S0' }
    const text = document({
      components: { schemas: { ...schemas, S20: {} } },
      paths: { '/a': { get: { parameters: [query('q', schema)] } }, '/b': { get: {} } },
    })
    const [large, small] = read(text).operations
    expect(large?.problem).toContain('too large')
    expect(small?.problem).toBeUndefined()
  })

  test('names schemes that a secret can be used for, and what the others are', () => {
    const securitySchemes = {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      token: { type: 'http', scheme: 'Bearer' },
      login: { type: 'http', scheme: 'basic' },
      site: { type: 'oauth2', flows: {} },
      other: { type: 'http', scheme: 'digest' },
    }
    const found = read(document({ components: { securitySchemes }, paths: { '/a': { get: {} } } }))
    expect(found.schemes).toEqual([
      { name: 'key', type: 'apiKey', in: 'header', key: 'X-Key' },
      { name: 'token', type: 'bearer' },
      { name: 'login', type: 'basic' },
      { name: 'site', type: 'unsupported', what: 'OAuth 2.0' },
      { name: 'other', type: 'unsupported', what: 'http' },
    ])
  })
})

describe('an operation of a document', () => {
  test.each([
    [{ operationId: 'get.Pet by id' }, 'get_Pet_by_id'],
    [{}, 'get_pets_id'],
    [{ operationId: '…' }, 'get_pets_id'],
  ])('%j has the name %s', (given, name) => {
    expect(operation({ ...given, parameters: [id] }).name).toBe(name)
  })

  test('whose name occurs again gets a number', () => {
    const get = { operationId: 'same' }
    const { operations } = read(
      document({ paths: { '/a': { get, post: get }, '/b': { get: { operationId: 'same_2' } } } }),
    )
    expect(operations.map(({ name }) => name)).toEqual(['same', 'same_3', 'same_2'])
  })

  test('has all its arguments in one schema, with the place in a name that two places use', () => {
    const found = read(
      document({
        paths: {
          '/pets/{id}': {
            parameters: [id, query('limit', { type: 'string' })],
            put: {
              parameters: [
                query('id'),
                query('limit', { type: 'integer' }, { required: true, description: 'At most so many.' }),
                query('body'),
                { name: 'X-Trace', in: 'header', schema: {} },
                { name: 'Authorization', in: 'header', schema: {} },
                { name: 'Host', in: 'header', schema: {} },
                { name: 'visit', in: 'cookie', schema: {} },
              ],
              requestBody: {
                required: true,
                content: { 'application/json': { schema: { type: 'object' } } },
              },
            },
          },
        },
      }),
    ).operations[0]
    expect(found?.inputs.map((each) => [each.argument, each.in, each.name])).toEqual([
      ['path_id', 'path', 'id'],
      ['limit', 'query', 'limit'],
      ['query_id', 'query', 'id'],
      ['query_body', 'query', 'body'],
      ['X-Trace', 'header', 'X-Trace'],
      ['visit', 'cookie', 'visit'],
    ])
    expect(found?.body).toEqual({ argument: 'body_body', format: 'json', mediaType: 'application/json' })
    expect(found?.parameters.required).toEqual(['path_id', 'limit', 'body_body'])
    expect(found?.parameters.properties).toMatchObject({
      limit: { type: 'integer', description: 'At most so many.' },
    })
  })

  test.each([
    [{ parameters: [{ ...id, style: 'matrix' }] }, 'style matrix'],
    [{ parameters: [] }, '{id}'],
    [{ parameters: [id, { $ref: 'https://evil.example/p.json' }] }, 'another document'],
    [{ parameters: [id, { $ref: '#/components/parameters/none' }] }, 'not in the document'],
    [{ parameters: [id], requestBody: { content: { 'multipart/form-data': {} } } }, 'multipart/form-data'],
    [{ parameters: [id, query('q', { enum: ['x'.repeat(60_000)] })] }, 'larger than 48 KiB'],
  ])('%# that cannot be used has a problem, and the others are read', (given, why) => {
    expect(operation(given).problem).toContain(why)
  })

  test('that refers to itself ends', () => {
    const node: JsonObject = { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } }
    const found = operation(
      { parameters: [id, query('q', { $ref: '#/components/schemas/Node' })] },
      { components: { schemas: { Node: node } } },
    )
    expect(found.parameters.properties).toMatchObject({
      q: { type: 'object', properties: { next: { description: 'As described above: Node.' } } },
    })
    const loop = { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } }
    const endless = operation(
      { parameters: [id, query('q', { $ref: '#/components/schemas/A' })] },
      { components: { schemas: loop } },
    )
    expect(endless.problem).toContain('leads to itself')
  })

  test('of 3.0 has nullable values and exclusive bounds as JSON Schema has them', () => {
    const schema = { type: 'number', nullable: true, minimum: 1, exclusiveMinimum: true, enum: [2, 3] }
    expect(operation({ parameters: [id, query('q', schema)] }).parameters.properties).toMatchObject({
      q: { type: ['number', 'null'], exclusiveMinimum: 1, enum: [2, 3, null] },
    })
  })

  test.each([
    [{ type: 'string', pattern: '(' }, { type: 'string' }],
    [{ type: 'text', minLength: -1, items: null, properties: 5, required: 'x' }, {}],
    [null, {}],
    ['text', {}],
    [
      { type: 'object', properties: { a: { readOnly: true }, b: 7 }, required: ['a', 'b', 1] },
      { type: 'object', properties: { b: {} }, required: ['b'] },
    ],
    [
      { type: 'array', items: { oneOf: [{}, null, { type: 'null' }] } },
      { type: 'array', items: { oneOf: [{}, {}, { type: 'null' }] } },
    ],
  ] as [JsonValue, JsonObject][])('with the broken schema %j keeps what can be used', (schema, kept) => {
    expect(operation({ parameters: [id, query('q', schema)] }).parameters.properties).toMatchObject({
      q: kept,
    })
  })

  test('has texts without control characters and characters that cannot be seen', () => {
    const hidden = 'Reads a pet.\u202E\u200B\u0007 And\nmore.'
    const found = operation({ summary: hidden, description: hidden, parameters: [id] })
    expect(found.description).toBe('Reads a pet. And\nmore.')
  })

  test('keeps its hash while only its tags change, and has another when its arguments do', () => {
    const hashOf = (more: JsonObject) => operation({ parameters: [id], ...more }).hash
    expect(hashOf({ tags: ['a'] })).toBe(hashOf({ tags: ['b'] }))
    expect(hashOf({ parameters: [id, query('q')] })).not.toBe(hashOf({}))
  })

  test('fits what an entry of a config may hold', () => {
    const { summary: _s, tags: _t, isDeprecated: _d, problem: _p, ...rest } = operation({ parameters: [id] })
    expect(apiOperation.safeParse(rest).success).toBe(true)
  })
})
