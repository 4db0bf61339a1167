import { expect, test } from 'vitest'
import type { GraphDocument, GraphNode } from '#lib/spec/graph'
import { catalog } from './catalog.fixture'
import { check } from './check'
import { compile } from './compile'
import { connect } from './edit'
import { fixesFor } from './fixes'

const node = (id: string, kind: string, config: GraphNode['config']): GraphNode => ({ id, kind, config })
const agent = node('a', 'agent', { name: 'x' })
const sql = node('sql', 'tool:builtin', { tools: ['sql.execute'] })
const web = node('w', 'group', { name: 'web' })

function drawing(nodes: readonly GraphNode[], wires: readonly (readonly [string, string])[]): GraphDocument {
  const ports: Record<string, string> = {
    'sql a': 'tool tools',
    'sql w': 'tool tools',
    'w a': 'group groups',
    'v a': 'group groups',
  }
  const edges = wires.map(([from, to]) => {
    const [out = '', into = ''] = ports[`${from} ${to}`]?.split(' ') ?? []
    return { from: { node: from, port: out }, to: { node: to, port: into } }
  })
  return { version: 1, nodes: [...nodes], edges, notes: [], parked: [], look: { frames: [] } }
}

const codesOf = (graph: GraphDocument) =>
  check(graph, catalog).flatMap(({ code }) => (/^(group|tool_placed)/.test(code) ? [code] : []))
const fixesOf = (graph: GraphDocument, code: string) => {
  const found = check(graph, catalog).find((each) => each.code === code)
  return found === undefined ? [] : fixesFor(found, graph, catalog)
}

test('S4-09 a tool that is wired to a group names it in the config, and the group is an entry of its own', () => {
  const { config, diagnostics } = compile(drawing([agent, sql, web], [['sql', 'w'], ['w', 'a']]), catalog) // biome-ignore format: one wire next to the other
  expect(codesOf(drawing([agent, sql, web], [['sql', 'w'], ['w', 'a']]))).toEqual([]) // biome-ignore format: one wire next to the other
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(config).toMatchObject({
    tools: [{ use: 'builtin', tools: ['sql.execute'], group: 'web' }],
    groups: [{ name: 'web' }],
  })
})

test.each([
  ['group_reserved', node('v', 'group', { name: 'basic' })],
  ['group_twice', node('v', 'group', { name: 'web' })],
])('S4-09 the finding %s makes the config null, and only a person can name the group', (code, other) => {
  const graph = drawing([agent, sql, web, other], [['sql', 'w'], ['w', 'a'], ['v', 'a']]) // biome-ignore format: one wire next to the other
  expect(codesOf(graph)).toEqual([code, 'group_empty'])
  expect(compile(graph, catalog).config).toBeNull()
  expect(fixesOf(graph, code)).toEqual([])
})

test('S4-09 a group without tools can be deleted', () => {
  const graph = drawing([agent, web], [['w', 'a']])
  const [fix] = fixesOf(graph, 'group_empty')
  expect(fix?.label).toBe('Delete it')
  expect(fix?.apply(graph, catalog).graph.nodes).toEqual([agent])
})

test('a tool that is wired to the agent and to a group keeps one of the wires', () => {
  const graph = drawing([agent, sql, web], [['sql', 'a'], ['sql', 'w'], ['w', 'a']]) // biome-ignore format: one wire next to the other
  expect(compile(graph, catalog).config).toBeNull()
  const fixes = fixesOf(graph, 'tool_placed_twice')
  expect(fixes.map(({ label }) => label)).toEqual(['Keep the wire to the agent', 'Keep the wire to web'])
  for (const fix of fixes) expect(codesOf(fix.apply(graph, catalog).graph)).not.toContain('tool_placed_twice')
})

test('a wire from a tool to a group replaces its wire to the agent, and the other way round', () => {
  const graph = drawing([agent, sql, web], [['sql', 'a'], ['w', 'a']]) // biome-ignore format: one wire next to the other
  const into = connect(graph, { node: 'sql', port: 'tool' }, { node: 'w', port: 'tools' }, catalog).graph
  expect(into.edges.filter(({ from }) => from.node === 'sql').map(({ to }) => to.node)).toEqual(['w'])
  const back = connect(into, { node: 'sql', port: 'tool' }, { node: 'a', port: 'tools' }, catalog).graph
  expect(back.edges.filter(({ from }) => from.node === 'sql').map(({ to }) => to.node)).toEqual(['a'])
})
