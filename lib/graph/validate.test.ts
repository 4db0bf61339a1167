/** Every fault of a setting is described in one sentence at its path. */
import { expect, test } from 'vitest'
import type { JsonObject, JsonSchema } from '#lib/spec/json'
import { catalog } from './catalog.fixture'
import { kindOf } from './kinds'
import { problemsOf } from './validate'

function schemaOf(kind: string): JsonSchema {
  const found = kindOf(catalog, kind)
  if (found === undefined) throw new Error(`the catalog of the tests has ${kind}`)
  return found.schema
}

const cases: [kind: string, config: JsonObject, path: string, message: string][] = [
  ['agent', {}, 'name', 'Name is missing. Fill it in.'],
  ['agent', { name: 3 }, 'name', 'Name must be text.'],
  ['agent', { name: 'a'.repeat(65) }, 'name', 'Name must have at most 64 characters.'],
  ['agent', { name: 'a', nam: 1 }, 'nam', '“nam” is not a setting here. Remove it.'],
  ['tool:builtin', { tools: 'sql.*' }, 'tools', '“tools” must be a list.'],
  ['tool:builtin', { tools: ['a', ''] }, 'tools/1', '“tools/1” must not be empty.'],
  ['tool:builtin', { timeoutSeconds: 0 }, 'timeoutSeconds', 'Time limit must be more than 0 s.'],
  ['tool:builtin', { timeoutSeconds: 1e6 }, 'timeoutSeconds', 'Time limit must be at most 86400 s.'],
  [
    'tool:builtin',
    { preset: { 'sql.execute': 4 } },
    'preset/sql.execute',
    '“preset/sql.execute” must be an object.',
  ],
  ['tool:mcp', {}, 'server', '“server” is missing. Fill it in.'],
  ['policy:steps', { max: 0 }, 'max', '“max” must be at least 1.'],
  ['policy:steps', { max: 1.5 }, 'max', '“max” must be a whole number.'],
  ['policy:results', { appliesTo: [] }, 'appliesTo', 'Applies to must not be empty.'],
  [
    'policy:execution',
    { strategy: 'fast' },
    'strategy',
    '“strategy” must be one of "sequential", "parallel".',
  ],
  ['protocol', { format: 'toml' }, 'format', 'Format must be one of "native", "xml".'],
  ['model', {}, 'provider', '“provider” is missing; it is one of "scripted", "other".'],
  ['model', { provider: 'x' }, 'provider', '“provider” must be one of "scripted", "other".'],
  ['model', { provider: 'other' }, 'name', '“name” is missing. Fill it in.'],
  ['model', { provider: 'scripted', turns: [1] }, 'turns/0', '“turns/0” must be an object.'],
]

test.each(cases)('%s %j is told at %s', (kind, config, path, message) => {
  expect(problemsOf(config, schemaOf(kind))).toEqual([{ path, message }])
})

test('a config that fits has no problems, and the catalog is left as it was', () => {
  const schema = schemaOf('tool:builtin')
  const before = JSON.stringify(Object.getOwnPropertyDescriptors(schema))
  const preset = { 'sql.execute': { a: [1, { b: null }], c: 'x' } }
  expect(problemsOf({ tools: ['sql.*'], preset }, schema)).toEqual([])
  expect(JSON.stringify(Object.getOwnPropertyDescriptors(schema))).toBe(before)
})

test('many faults are told at once', () => {
  const found = problemsOf({ tools: [1, 2], timeoutSeconds: -1, x: 1 }, schemaOf('tool:builtin'))
  expect(found.map((each) => each.path)).toEqual(['tools/0', 'tools/1', 'timeoutSeconds', 'x'])
})
