import { describe, expect, test } from 'vitest'
import type { GraphDocument } from '#lib/spec/graph'
import type { JsonObject } from '#lib/spec/json'
import { catalog } from './catalog.fixture'
import { check } from './check'
import { drawing, node } from './drawings.fixture'
import { fixesFor } from './fixes'

const agent = node('a', 'agent', { name: 'a' })
const wiredTool = (config: JsonObject) => drawing([agent, node('t', 'tool:builtin', config)], [['t', 'a']])

function fixesOf(code: string, graph: GraphDocument) {
  const found = check(graph, catalog).find((each) => each.code === code)
  if (found === undefined) throw new Error(`no ${code} here`)
  return fixesFor(found, graph, catalog)
}

describe('S4-14 E-60 a finding about what an entry or a policy says of its tools', () => {
  const skills = (allow: string[]) =>
    drawing(
      [
        agent,
        node('t', 'tool:builtin', { tools: ['sql.*', 'math.*'] }),
        node('s', 'policy:skills', { allow, deny: ['sql.*'] }),
      ],
      [
        ['t', 'a'],
        ['s', 'a'],
      ],
    )
  test.each<[string, GraphDocument, string]>([
    [
      'setting_unmatched',
      wiredTool({ tools: ['sql.*'], rename: { 'time.now': 'now' } }),
      'Remove the value for “time.now”',
    ],
    [
      'tool_twice',
      wiredTool({ tools: ['sql.execute', 'math.calculate'], rename: { 'sql.execute': 'math.calculate' } }),
      'Add a number to its name',
    ],
    ['allow_denied', skills(['sql.execute', 'math.*']), 'Remove “sql.execute”'],
  ])('%s is gone after its fix', (code, graph, label) => {
    const [fix, ...others] = fixesOf(code, graph)
    expect([fix?.label, others]).toEqual([label, []])
    const after = fix?.apply(graph, catalog).graph
    expect(after && check(after, catalog).map((each) => each.code)).not.toContain(code)
  })

  test('has no fix where the last allowed pattern would go: then every other tool would be allowed', () => {
    expect(fixesOf('allow_denied', skills(['sql.execute']))).toEqual([])
  })
})

test('the last tool of an entry that a policy covers is not taken out', () => {
  const entry = node('t', 'tool:builtin', { tools: ['nothing.like_it'] })
  const policy = node('p', 'policy:results', { maxChars: 5 })
  const graph = drawing([agent, entry, policy], [['t', 'a'], ['p', 't']]) // biome-ignore format: one wire next to the other
  const found = check(graph, catalog).find(({ code }) => code === 'glob_unmatched')
  expect(found && fixesFor(found, graph, catalog)).toEqual([])
})

test('the demo model answers beside one that is switched off, whose wire stays', () => {
  const loose = node('l', 'model', { provider: 'other', name: 'y' })
  const graph = drawing(
    [agent, loose, node('m', 'model', { provider: 'other', name: 'x' })],
    [['m', 'a']],
    ['m'],
  )
  const found = check(graph, catalog).find(({ code }) => code === 'model_missing')
  const fixes = found === undefined ? [] : fixesFor(found, graph, catalog)
  const after = fixes.find(({ label }) => /demo/.test(label))?.apply(graph, catalog).graph
  expect(after?.edges.map(({ from }) => from.node)).toEqual(['m', 'model_1'])
  expect(after && check(after, catalog).map(({ code }) => code)).not.toContain('model_missing')
})

test('S4-15 a tool that is listed and taken out at once is offered, or left out, by a fix', () => {
  const graph = drawing(
    [agent, node('t', 'tool:mcp', { server: 'files', enable: ['read', 'write'], disable: ['write'] })],
    [['t', 'a']],
  )
  const kinds = catalog.kinds.map((kind) =>
    kind.kind === 'tool:mcp' ? { ...kind, scope: { ...kind.scope, without: 'disable' } } : kind,
  )
  const withTwoLists = { ...catalog, kinds }
  const [found] = check(graph, withTwoLists).filter(({ code }) => code === 'tool_both_ways')
  const fixes = found === undefined ? [] : fixesFor(found, graph, withTwoLists)
  expect(fixes.map(({ label }) => label)).toEqual(['Offer them', 'Leave them out'])
  const configs = fixes.map(
    (fix) => fix.apply(graph, withTwoLists).graph.nodes.find(({ id }) => id === 't')?.config,
  )
  expect(configs).toMatchObject([{ enable: ['read', 'write'] }, { enable: ['read'], disable: ['write'] }])
})
