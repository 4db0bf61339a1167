/** What a person is told about a drawing, and where. */
import { describe, expect, test } from 'vitest'
import type { GraphDocument, GraphNode } from '#lib/spec/graph'
import type { JsonObject } from '#lib/spec/json'
import { catalog } from './catalog.fixture'
import { check } from './check'
import { compile } from './compile'
import { drawing, node } from './drawings.fixture'

const agent = node('a', 'agent', { name: 'a' })
const sql = node('sql', 'tool:builtin', { tools: ['sql.execute'] })
const math = node('math', 'tool:builtin', { tools: ['math.calculate'] })
const results = node('r', 'policy:results', { maxChars: 5 })
const outputOf = (schema: JsonObject) => node('o', 'output', { schema })

function codeOf(config: JsonObject): GraphNode {
  return node('c', 'tool:code', { name: 'up', source: 'return 1', ...config })
}

interface Case {
  name: string
  graph: GraphDocument
  expected: { severity: string; code: string; node?: string; path?: string }
}

const cases: Case[] = [
  {
    name: 'a drawing without an agent',
    graph: drawing([sql]),
    expected: { severity: 'error', code: 'agent_missing' },
  },
  {
    name: 'two agents, on the second',
    graph: drawing([agent, node('b', 'agent', { name: 'b' })]),
    expected: { severity: 'error', code: 'agent_several', node: 'b' },
  },
  {
    name: 'two models, on the second',
    graph: drawing(
      [
        agent,
        node('m', 'model', { provider: 'scripted', name: 'demo' }),
        node('n', 'model', { provider: 'scripted', name: 'demo' }),
      ],
      [
        ['m', 'a'],
        ['n', 'a'],
      ],
    ),
    expected: { severity: 'error', code: 'model_several', node: 'n', path: 'model' },
  },
  {
    name: 'two protocols',
    graph: drawing(
      [agent, node('p', 'protocol'), node('q', 'protocol')],
      [
        ['p', 'a'],
        ['q', 'a'],
      ],
    ),
    expected: { severity: 'error', code: 'protocol_several', node: 'q', path: 'protocol' },
  },
  {
    name: 'an agent that is switched off',
    graph: drawing([agent], [], ['a']),
    expected: { severity: 'error', code: 'agent_parked', node: 'a', path: 'agent' },
  },
  {
    name: 'a wire to a node that is gone',
    graph: {
      ...drawing([agent]),
      edges: [{ from: { node: 'x', port: 'tool' }, to: { node: 'a', port: 'tools' } }],
    },
    expected: { severity: 'error', code: 'wire_loose' },
  },
  {
    name: 'a wire through ports that do not fit',
    graph: {
      ...drawing([agent, sql]),
      edges: [{ from: { node: 'sql', port: 'tool' }, to: { node: 'a', port: 'model' } }],
    },
    expected: { severity: 'error', code: 'wire_misfit', node: 'sql' },
  },
  {
    name: 'two nodes of one id',
    graph: drawing([agent, sql, sql]),
    expected: { severity: 'error', code: 'id_twice', node: 'sql' },
  },
  {
    name: 'a wired part the server lacks',
    graph: drawing([agent, node('x', 'tool:later')], [['x', 'a']]),
    expected: { severity: 'error', code: 'kind_unknown', node: 'x' },
  },
  {
    name: 'an unknown key, by its path',
    graph: drawing([agent, { ...sql, config: { tols: [] } }], [['sql', 'a']]),
    expected: { severity: 'error', code: 'config_invalid', node: 'sql', path: 'tools/0/tols' },
  },
  {
    name: 'an agent without a name, at the key itself',
    graph: drawing([node('a', 'agent')]),
    expected: { severity: 'error', code: 'config_invalid', node: 'a', path: 'name' },
  },
  {
    name: 'a setting of a part of the list that stands second',
    graph: drawing(
      [agent, sql, node('m', 'tool:mcp', { server: '', timeoutSeconds: 2 })],
      [
        ['sql', 'a'],
        ['m', 'a'],
      ],
    ),
    expected: { severity: 'error', code: 'config_invalid', node: 'm', path: 'tools/1/server' },
  },
  {
    name: 'an empty appliesTo',
    graph: drawing([agent, node('r', 'policy:results', { appliesTo: [] })], [['r', 'a']]),
    expected: { severity: 'error', code: 'config_invalid', node: 'r', path: 'policies/0/appliesTo' },
  },
  {
    name: 'a policy wired to the agent and to an entry',
    graph: drawing(
      [agent, sql, results],
      [
        ['sql', 'a'],
        ['r', 'a'],
        ['r', 'sql'],
      ],
    ),
    expected: { severity: 'error', code: 'scope_twice', node: 'r', path: 'policies/0' },
  },
  {
    name: 'a policy with typed globs wired to an entry',
    graph: drawing(
      [agent, sql, { ...results, config: { appliesTo: ['math.*'] } }],
      [
        ['sql', 'a'],
        ['r', 'sql'],
      ],
    ),
    expected: { severity: 'error', code: 'scope_twice', node: 'r', path: 'policies/0/appliesTo' },
  },
  {
    name: 'a policy that covers the whole run wired to an entry',
    graph: drawing(
      [agent, sql, node('s', 'policy:steps')],
      [
        ['sql', 'a'],
        ['s', 'sql'],
      ],
    ),
    expected: { severity: 'error', code: 'policy_unscoped', node: 's', path: 'policies/0' },
  },
  {
    name: 'a policy wired to an entry that names no tools',
    graph: drawing(
      [agent, { ...sql, config: {} }, results],
      [
        ['sql', 'a'],
        ['r', 'sql'],
      ],
    ),
    expected: { severity: 'error', code: 'scope_empty', node: 'r', path: 'policies/0' },
  },
  {
    name: 'a tool offered by two entries, on the later',
    graph: drawing(
      [agent, sql, { ...math, config: { tools: ['sql.*'] } }],
      [
        ['sql', 'a'],
        ['math', 'a'],
      ],
    ),
    expected: { severity: 'error', code: 'tool_twice', node: 'math', path: 'tools/1' },
  },
  {
    name: 'two tools of one name known only at run time',
    graph: drawing(
      [agent, node('h', 'tool:http', { name: 'x' }), node('i', 'tool:http', { name: 'x' })],
      [
        ['h', 'a'],
        ['i', 'a'],
      ],
    ),
    expected: { severity: 'error', code: 'tool_twice', node: 'i', path: 'tools/1' },
  },
  {
    name: 'a glob that names no tool',
    graph: drawing([agent, { ...sql, config: { tools: ['sql.*', 'sqll.*'] } }], [['sql', 'a']]),
    expected: { severity: 'warning', code: 'glob_unmatched', node: 'sql', path: 'tools/0/tools/1' },
  },
  {
    name: 'a pattern of a policy that names no tool',
    graph: drawing(
      [agent, sql, node('s', 'policy:skills', { deny: ['sql.*', 'nope'] })],
      [
        ['sql', 'a'],
        ['s', 'a'],
      ],
    ),
    expected: { severity: 'warning', code: 'glob_unmatched', node: 's', path: 'policies/0/deny/1' },
  },
  {
    name: 'a preset for a tool the entry does not offer',
    graph: drawing(
      [agent, { ...sql, config: { tools: ['sql.*'], preset: { 'time.now': {} } } }],
      [['sql', 'a']],
    ),
    expected: { severity: 'warning', code: 'preset_unmatched', node: 'sql', path: 'tools/0/preset/time.now' },
  },
  {
    name: 'parameters that are no schema of an object',
    graph: drawing([agent, codeOf({ parameters: { type: 'array' } })], [['c', 'a']]),
    expected: { severity: 'error', code: 'parameters_invalid', node: 'c', path: 'tools/0/parameters' },
  },
  {
    name: 'an output schema with keys by a pattern that looks ahead',
    graph: drawing([agent, outputOf({ patternProperties: { '^(?=a)': {} } })], [['a', 'o']]),
    expected: { severity: 'error', code: 'schema_invalid', node: 'o', path: 'output/schema' },
  },
  {
    name: 'an output schema with a pattern that is none',
    graph: drawing([agent, outputOf({ items: { pattern: '(' } })], [['a', 'o']]),
    expected: { severity: 'error', code: 'schema_invalid', node: 'o', path: 'output/schema' },
  },
  {
    name: 'parameters with a pattern that is none',
    graph: drawing(
      [agent, codeOf({ parameters: { type: 'object', properties: { a: { anyOf: [{ pattern: '(' }] } } } })],
      [['c', 'a']],
    ),
    expected: { severity: 'error', code: 'parameters_invalid', node: 'c', path: 'tools/0/parameters' },
  },
  {
    name: 'a tool of one’s own by the name of another',
    graph: drawing(
      [agent, sql, codeOf({ name: 'sql.execute' })],
      [
        ['sql', 'a'],
        ['c', 'a'],
      ],
    ),
    expected: { severity: 'error', code: 'tool_twice', node: 'c', path: 'tools/1' },
  },
  {
    name: 'a code tool whose effect is lowered to one that nothing holds it to',
    graph: drawing([agent, codeOf({ effect: 'idempotent' })], [['c', 'a']]),
    expected: { severity: 'error', code: 'class_lowered', node: 'c', path: 'tools/0/effect' },
  },
  {
    name: 'a risk of read with an effect',
    graph: drawing([agent, codeOf({ risk: 'read', effect: 'effect' })], [['c', 'a']]),
    expected: { severity: 'error', code: 'class_contradiction', node: 'c', path: 'tools/0/effect' },
  },
  {
    name: 'a preset for another tool than the entry’s own',
    graph: drawing([agent, codeOf({ preset: { other: {} } })], [['c', 'a']]),
    expected: { severity: 'warning', code: 'preset_unmatched', node: 'c', path: 'tools/0/preset/other' },
  },
  {
    name: 'a preset that does not fit the entry’s own parameters',
    graph: drawing(
      [
        agent,
        codeOf({
          parameters: { type: 'object', properties: { a: { type: 'string' } } },
          preset: { up: { a: 1 } },
        }),
      ],
      [['c', 'a']],
    ),
    expected: { severity: 'error', code: 'preset_invalid', node: 'c', path: 'tools/0/preset/up/a' },
  },
  {
    name: 'a preset for an argument the tool does not take',
    graph: drawing(
      [agent, { ...sql, config: { tools: ['sql.*'], preset: { 'sql.execute': { db: 1 } } } }],
      [['sql', 'a']],
    ),
    expected: {
      severity: 'warning',
      code: 'preset_unmatched',
      node: 'sql',
      path: 'tools/0/preset/sql.execute/db',
    },
  },
  {
    name: 'a policy of which only the last counts, on the earlier',
    graph: drawing(
      [agent, node('e', 'policy:execution'), node('f', 'policy:execution')],
      [
        ['e', 'a'],
        ['f', 'a'],
      ],
    ),
    expected: { severity: 'warning', code: 'policy_overruled', node: 'e', path: 'policies/0' },
  },
  {
    name: 'a policy that is switched off',
    graph: drawing([agent, results], [['r', 'a']], ['r']),
    expected: { severity: 'warning', code: 'policy_off', node: 'r', path: 'parked/0' },
  },
  {
    name: 'a node wired to nothing',
    graph: drawing([agent, results]),
    expected: { severity: 'info', code: 'node_unwired', node: 'r', path: 'parked/0' },
  },
  {
    name: 'an entry that names no tools',
    graph: drawing([agent, { ...sql, config: {} }], [['sql', 'a']]),
    expected: { severity: 'info', code: 'tools_empty', node: 'sql', path: 'tools/0' },
  },
  {
    name: 'an agent without a model',
    graph: drawing([agent]),
    expected: { severity: 'info', code: 'model_missing', node: 'a', path: 'agent' },
  },
]

describe('check tells of', () => {
  test.each(cases)('$name', ({ graph, expected }) => {
    const found = check(graph, catalog)
    expect(found).toContainEqual(expect.objectContaining(expected))
    const errors = found.filter((each) => each.severity === 'error')
    expect(errors.map((each) => each.code)).toEqual(expected.severity === 'error' ? [expected.code] : [])
    for (const { message } of found) expect(message).toMatch(/^.{12,}\.$/s)
    expect(compile(graph, catalog).config === null).toBe(expected.severity === 'error')
  })
})

describe('check does not mind', () => {
  const quiet = (graph: GraphDocument) => check(graph, catalog).filter((each) => each.severity !== 'info')

  test('unfinished nodes that are not wired, or switched off', () => {
    const loose = node('x', 'tool:mcp', { junk: true })
    expect(quiet(drawing([agent, loose, node('y', 'model')], [['y', 'a']], ['y']))).toEqual([])
  })

  test('a second model that is switched off', () => {
    const models = ['m', 'n'].map((id) => node(id, 'model', { provider: 'scripted', name: 'demo' }))
    const wires = models.map(({ id }): [string, string] => [id, 'a'])
    expect(quiet(drawing([agent, ...models], wires, ['n']))).toEqual([])
  })

  test('a policy on the agent whose wire to an entry leads nowhere, the entry being off', () => {
    expect(
      quiet(
        drawing(
          [agent, sql, results],
          [
            ['sql', 'a'],
            ['r', 'a'],
            ['r', 'sql'],
          ],
          ['sql'],
        ),
      ),
    ).toEqual([])
  })

  test('patterns that may name tools found only at run time', () => {
    const mcp = node('m', 'tool:mcp', { server: 'files' })
    const skills = node('s', 'policy:skills', { deny: ['files.delete', 'fi*', 'time.now'] })
    expect(
      quiet(
        drawing(
          [agent, mcp, skills],
          [
            ['m', 'a'],
            ['s', 'a'],
          ],
        ),
      ),
    ).toEqual([])
  })
})

test('a diagnostic says in words what is wrong with a setting', () => {
  const timeout = node('t', 'policy:timeout', { seconds: 0 })
  const named = node('a', 'agent', { name: 'Retail Analyst' })
  const found = check(drawing([named, timeout], [['t', 'a']]), catalog).map((each) => each.message)
  expect(found).toContain('timeout: Time limit must be more than 0 s.')
  expect(found).toContain(
    'Agent: Name must be lowercase letters, digits and single hyphens, as in "retail-analyst".',
  )
})

test('errors come first, then warnings, then notes', () => {
  const timeout = node('t', 'policy:timeout', { seconds: 0 })
  const unused = node('r', 'policy:results', { maxChars: 500 })
  const loose = node('x', 'tool:builtin', { tools: ['time.now'] })
  const found = check(drawing([agent, loose, unused, timeout], [['t', 'a']]), catalog)
  const order = ['error', 'warning', 'info']
  const ranks = found.map(({ severity }) => order.indexOf(severity))
  expect(ranks).toEqual([...ranks].sort())
  expect(new Set(ranks).size).toBeGreaterThan(1)
})
