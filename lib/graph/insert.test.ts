/** Parts dropped on wires, kinds that fit a loose end, and copies that keep their wires. */
import { describe, expect, test } from 'vitest'
import type { GraphDocument, GraphEdge } from '#lib/spec/graph'
import { catalog } from './catalog.fixture'
import { compile } from './compile'
import { copyNodes, duplicateNodes, paste, remove } from './edit'
import { kindsThatFit, wireTo } from './fitting'
import { insertion, insertNew, insertNode } from './insert'

function wire(from: string, out: string, to: string, port: string): GraphEdge {
  return { from: { node: from, port: out }, to: { node: to, port } }
}

const toAgent = wire('web', 'tool', 'a', 'tools')
const overRun = wire('r', 'policy', 'a', 'policies')
const start: GraphDocument = {
  version: 1,
  nodes: [
    { id: 'a', kind: 'agent', config: { name: 'a' }, at: { x: 0, y: 0 } },
    { id: 'm', kind: 'model', config: { provider: 'scripted', name: 'demo' } },
    { id: 'web', kind: 'tool:builtin', config: { tools: ['web.*'] } },
    { id: 'r', kind: 'policy:results', config: { maxChars: 5 } },
    { id: 'loose', kind: 'tool:builtin', config: { tools: ['sql.*'] } },
    { id: 'limit', kind: 'policy:timeout', config: { seconds: 3 } },
  ],
  edges: [wire('m', 'model', 'a', 'model'), toAgent, overRun],
  notes: [],
  parked: [],
  look: { frames: [] },
}

describe('a part dropped on a wire', () => {
  test('comes between the two ends when it takes the one and gives the other', () => {
    const { graph } = insertNode(start, { wire: overRun, node: 'loose' }, catalog)
    expect(graph.edges).toContainEqual(wire('loose', 'tool', 'a', 'tools'))
    expect(graph.edges).toContainEqual(wire('r', 'policy', 'loose', 'policies'))
    expect(graph.edges).not.toContainEqual(overRun)
  })

  test('as a policy covers the tools at the beginning of the wire', () => {
    const { graph } = insertNode(start, { wire: toAgent, node: 'limit' }, catalog)
    expect(graph.edges).toContainEqual(toAgent)
    expect(graph.edges).toContainEqual(wire('limit', 'policy', 'web', 'policies'))
    expect(compile(graph, catalog).config?.policies).toContainEqual({
      use: 'timeout',
      appliesTo: ['web.*'],
      seconds: 3,
    })
  })

  test('comes fresh from the palette and wired in one edit', () => {
    const { graph, added } = insertNew(start, { wire: toAgent, part: { kind: 'policy:timeout' } }, catalog)
    expect(added).toHaveLength(1)
    expect(graph.edges).toContainEqual(wire(added[0] ?? '', 'policy', 'web', 'policies'))
  })

  test.each([
    ['tool:builtin', toAgent, 'Built-in tools does not go between Built-in tools and the agent.'],
    ['policy:steps', toAgent, 'steps always covers the whole run: wire it to the agent.'],
    ['agent', toAgent, 'The agent is at the end of wires, never between two nodes.'],
    ['model', wire('gone', 'tool', 'a', 'tools'), 'That wire is no longer on the canvas.'],
  ])('is refused in one line where it does not fit: %s', (kind, on, reason) => {
    expect(insertion(start, catalog, { wire: on, part: { kind, config: {} } })).toEqual({ ok: false, reason })
  })

  test('leaves the drawing as it was when it is one of the ends, or the wire is gone', () => {
    expect(insertNode(start, { wire: toAgent, node: 'web' }, catalog).graph).toBe(start)
    expect(insertNode(start, { wire: wire('x', 'tool', 'a', 'tools'), node: 'loose' }, catalog).graph).toBe(
      start,
    )
  })
})

describe('what fits a loose end', () => {
  const kinds = (node: string, port: string, end: 'source' | 'target') =>
    kindsThatFit(start, catalog, { node, port, end }).map((each) => each.kind)

  test('into a port of the agent', () => {
    expect(kinds('a', 'tools', 'target').every((each) => each.startsWith('tool:'))).toBe(true)
    expect(kinds('a', 'model', 'target')).toEqual(['model'])
    expect(kinds('a', 'policies', 'target')).toContain('policy:steps')
  })

  test('over a tool only what can be scoped', () => {
    expect(kinds('web', 'policies', 'target')).toContain('policy:timeout')
    expect(kinds('web', 'policies', 'target')).not.toContain('policy:steps')
  })

  test('out of a tool a group, where the one agent is drawn; out of a policy the tools it may cover', () => {
    expect(kinds('web', 'tool', 'source')).toEqual(['group'])
    expect(kinds('limit', 'policy', 'source').every((each) => each.startsWith('tool:'))).toBe(true)
    expect(kinds('limit', 'policy', 'source').length).toBeGreaterThan(0)
  })

  test('and the wire that would be drawn', () => {
    expect(
      wireTo(start, catalog, {
        from: { node: 'limit', port: 'policy', end: 'source' },
        node: 'new',
        kind: 'tool:http',
      }),
    ).toEqual(wire('limit', 'policy', 'new', 'policies'))
    expect(
      wireTo(start, catalog, {
        from: { node: 'gone', port: 'policy', end: 'source' },
        node: 'new',
        kind: 'tool:http',
      }),
    ).toBeUndefined()
  })
})

describe('a copy finds its wires again', () => {
  test('cut and pasted, a tool is wired to the agent as it was', () => {
    const content = copyNodes(start, ['web'])
    const without = remove(start, { nodes: ['web'] }, catalog).graph
    const { graph, added } = paste(without, content, { x: 0, y: 0 }, catalog)
    expect(graph.edges).toContainEqual(wire(added[0] ?? '', 'tool', 'a', 'tools'))
  })

  test('in another drawing the one agent stands for the one that was left behind', () => {
    const other: GraphDocument = {
      ...start,
      nodes: [{ id: 'boss', kind: 'agent', config: { name: 'b' } }],
      edges: [],
    }
    const { graph, added } = paste(other, copyNodes(start, ['web', 'r']), { x: 0, y: 0 }, catalog)
    expect(graph.edges).toEqual([
      wire(added[0] ?? '', 'tool', 'boss', 'tools'),
      wire(added[1] ?? '', 'policy', 'boss', 'policies'),
    ])
  })

  test('takes no other wire its place: a second model stays loose', () => {
    const { graph } = duplicateNodes(start, ['m'], { catalog })
    expect(graph.nodes).toHaveLength(start.nodes.length + 1)
    expect(graph.edges).toEqual(start.edges)
  })

  test('offers no tool twice, and says that it stands unwired', () => {
    const sql = { ...start, edges: [...start.edges, wire('loose', 'tool', 'a', 'tools')] }
    const { graph, notes } = duplicateNodes(sql, ['loose'], { catalog })
    expect(graph.edges).toEqual(sql.edges)
    expect(notes).toEqual(['Pasted, not connected: a tool of that name exists already.'])
  })
})
