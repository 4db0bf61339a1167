/** What a person is told about a policy that has no effect. */
import { expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { catalog } from './catalog.fixture'
import { check } from './check'
import { drawing, node } from './drawings.fixture'

function told(kind: string, config: JsonObject, tools: string[] = ['sql.*']): string[] {
  const nodes = [
    node('a', 'agent', { name: 'a' }),
    node('t', 'tool:builtin', { tools }),
    node('m', 'tool:mcp', { server: 'files' }),
    node('p', kind, config),
  ]
  const graph = drawing(nodes, [
    ['t', 'a'],
    ['m', 'a'],
    ['p', 'a'],
  ])
  const found = check(graph, catalog).filter((each) => each.node === 'p')
  return found.map(({ severity, code, path }) => `${severity} ${code} ${path}`)
}

const needing = (tool: string) => ({ choice: { tool } })
const notOffered = ['warning tool_not_offered policies/0/choice/tool']
const empty = ['warning policy_empty policies/0']

test.each<[string, string, JsonObject, string[]]>([
  ['one that sets nothing', 'policy:budget', {}, empty],
  ['one that says only where it holds', 'policy:budget', { appliesTo: ['sql.*'] }, empty],
  ['one whose lists are all empty', 'policy:skills', {}, empty],
  ['one whose lists were emptied', 'policy:skills', { allow: [], deny: [] }, empty],
  ['one that fills a list', 'policy:skills', { deny: ['sql.*'] }, []],
  ['one that sets something', 'policy:budget', { calls: 3 }, []],
  ['one that has defaults', 'policy:steps', {}, []],
  ['a tool that an entry offers', 'policy:tool-choice', needing('sql.execute'), []],
  ['a tool that may be found at run time', 'policy:tool-choice', needing('files.read'), []],
  ['a tool of the catalog that no entry offers', 'policy:tool-choice', needing('time.now'), notOffered],
  [
    'a tool that a pattern would take, but nobody has',
    'policy:tool-choice',
    needing('sql.guess'),
    notOffered,
  ],
  ['no tool', 'policy:tool-choice', { choice: 'none' }, []],
])('%s', (_, kind, config, expected) => {
  expect(told(kind, config)).toEqual(expected)
})
