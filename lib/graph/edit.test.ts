/** Edits: what they change, what they keep, and what they change in addition. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countFor } from '#e2e/test-depth'
import { type GraphDocument, type GraphEdge, graphDocument, mostDrawn } from '#lib/spec/graph'
import { catalog } from './catalog.fixture'
import { compile } from './compile'
import { drawing, node } from './drawings.fixture'
import {
  addNode,
  addNote,
  clip,
  connect,
  copyNodes,
  disconnect,
  duplicateNodes,
  type Edited,
  moveNodes,
  normalize,
  paste,
  patchConfig,
  remove,
  removeNodes,
  removeNotes,
  setConfig,
  setNote,
  setParked,
  shiftNode,
} from './edit'
import { graphArb, wildGraphArb } from './graphs.fixture'

const empty: GraphDocument = { version: 1, nodes: [], edges: [], notes: [], parked: [], look: { frames: [] } }

function wire(from: string, out: string, to: string, port: string): GraphEdge {
  return { from: { node: from, port: out }, to: { node: to, port } }
}

/** An agent with two toolkits and a policy on the first. */
const start: GraphDocument = {
  version: 1,
  nodes: [
    { id: 'a', kind: 'agent', config: { name: 'a' }, at: { x: 0, y: 0 } },
    { id: 'sql', kind: 'tool:builtin', config: { tools: ['sql.*'] } },
    { id: 'web', kind: 'tool:builtin', config: { tools: ['web.*', 'shell.*'] } },
    { id: 'r', kind: 'policy:results', config: { maxChars: 5 } },
  ],
  edges: [
    wire('sql', 'tool', 'a', 'tools'),
    wire('web', 'tool', 'a', 'tools'),
    wire('r', 'policy', 'sql', 'policies'),
  ],
  notes: [{ id: 'note', text: 'x', at: [1, 2] }],
  parked: [],
  look: { frames: [] },
}

const policies = (edited: Edited) => compile(edited.graph, catalog).config?.policies

describe('nodes', () => {
  test('a fresh node holds what its kind says, under an id of its own, wired when asked', () => {
    const agent = addNode(empty, { kind: 'agent', at: { x: 1.4, y: 2.6 } }, catalog)
    expect(agent.graph.nodes).toEqual([
      { id: 'agent_1', kind: 'agent', config: { name: 'new-agent' }, at: { x: 1, y: 3 } },
    ])
    const first = addNode(
      agent.graph,
      { kind: 'tool:builtin', config: { tools: ['sql.*'] }, wire: true },
      catalog,
    )
    const second = addNode(first.graph, { kind: 'tool:builtin' }, catalog)
    expect([first.added, second.added]).toEqual([['builtin_1'], ['builtin_2']])
    expect(second.graph.edges).toEqual([wire('builtin_1', 'tool', 'agent_1', 'tools')])
  })

  test('a second agent is refused in words, and a second model is not wired over the first', () => {
    const refused = addNode(start, { kind: 'agent' }, catalog)
    expect(refused.graph).toBe(start)
    expect(refused.notes).toEqual(['A drawing holds one agent, and this one has it.'])
    const model = { kind: 'model', config: { provider: 'scripted', name: 'demo' }, wire: true }
    const two = addNode(addNode(start, model, catalog).graph, model, catalog)
    expect(two.graph.edges.filter((edge) => edge.to.port === 'model')).toHaveLength(1)
  })

  test('removing a node takes its wires, and says which policy came loose', () => {
    const { graph, notes } = removeNodes(start, ['sql'], catalog)
    expect(graph.nodes.map((node) => node.id)).toEqual(['a', 'web', 'r'])
    expect(graph.edges).toEqual([wire('web', 'tool', 'a', 'tools')])
    expect(notes).toEqual(['results is no longer wired to the agent, so it does nothing now.'])
  })

  test('nodes, wires and notes go in one gesture', () => {
    const edges = start.edges.slice(0, 1)
    const { graph } = remove(start, { nodes: ['web'], edges, notes: ['note'] }, catalog)
    expect(graph.nodes).toHaveLength(3)
    expect(graph.edges).toEqual([wire('r', 'policy', 'sql', 'policies')])
    expect(graph.notes).toEqual([])
  })

  test('a move rounds places, also of notes, and leaves the rest untouched', () => {
    const { graph } = moveNodes(start, [
      { id: 'sql', at: { x: 10.6, y: -3.2 } },
      { id: 'note', at: { x: 4.5, y: 0 } },
      { id: 'a', at: { x: 0, y: 0 } },
    ])
    expect(graph.nodes[1]?.at).toEqual({ x: 11, y: -3 })
    expect(graph.notes[0]?.at).toEqual([5, 0])
    expect(graph.nodes[0]).toBe(start.nodes[0])
    expect(graph.edges).toBe(start.edges)
  })

  test('an entry is shifted within its own list', () => {
    const down = shiftNode(start, 'sql', 1, catalog)
    expect(down.graph.nodes.map((node) => node.id)).toEqual(['a', 'web', 'sql', 'r'])
    expect(shiftNode(down.graph, 'sql', -1, catalog).graph.nodes).toEqual(start.nodes)
    expect(shiftNode(start, 'sql', -1, catalog).graph).toBe(start)
  })

  test('switching off keeps the wires, never the agent, and on again is as before', () => {
    const off = setParked(start, ['sql', 'a'], true, catalog)
    expect(off.graph.parked).toEqual(['sql'])
    expect(off.graph.edges).toBe(start.edges)
    expect(off.notes).toEqual([
      'The agent itself cannot be switched off.',
      'results is no longer wired to the agent, so it does nothing now.',
    ])
    expect(setParked(off.graph, ['sql'], false, catalog).graph).toEqual(start)
  })

  test('what equals its default is not kept', () => {
    const { graph } = patchConfig(start, 'r', { maxChars: 10_000 }, catalog)
    expect(graph.nodes[3]?.config).toEqual({})
    expect(patchConfig(graph, 'r', { maxChars: undefined }, catalog).graph).toBe(graph)
  })
})

describe('scope keeps one form', () => {
  test('a wire is drawn to every entry that the others cover', () => {
    const covered = patchConfig(start, 'sql', { tools: ['sql.*', 'web.*', 'shell.*'] }, catalog)
    expect(covered.graph.edges).toContainEqual(wire('r', 'policy', 'web', 'policies'))
    expect(covered.notes).toEqual([
      'results covers all tools of Built-in tools (tools/1) as well, so it is wired there too.',
    ])
  })

  test('typed globs that entries say become wires', () => {
    const onAgent = connect(start, { node: 'r', port: 'policy' }, { node: 'a', port: 'policies' }, catalog)
    const typed = patchConfig(onAgent.graph, 'r', { appliesTo: ['web.*', 'shell.*'] }, catalog)
    expect(typed.graph.nodes[3]?.config).toEqual({ maxChars: 5 })
    expect(typed.graph.edges.at(-1)).toEqual(wire('r', 'policy', 'web', 'policies'))
    expect(policies(typed)).toEqual([{ use: 'results', appliesTo: ['web.*', 'shell.*'], maxChars: 5 }])
  })

  test('typed globs that no entries say move the policy to the agent', () => {
    const typed = setConfig(start, 'r', { appliesTo: ['time.*'] }, catalog)
    expect(typed.graph.edges.at(-1)).toEqual(wire('r', 'policy', 'a', 'policies'))
    expect(policies(typed)).toEqual([{ use: 'results', appliesTo: ['time.*'] }])
  })

  test('a wire to an entry takes the place of typed globs and of the wire to the agent', () => {
    const typed = setConfig(start, 'r', { appliesTo: ['time.*'] }, catalog)
    const back = connect(
      typed.graph,
      { node: 'r', port: 'policy' },
      { node: 'sql', port: 'policies' },
      catalog,
    )
    expect(policies(back)).toEqual([{ use: 'results', appliesTo: ['sql.*'] }])
    expect(back.notes).toHaveLength(2)
  })
})

describe('wires', () => {
  test('a model takes the place of the one that was wired', () => {
    const model = { kind: 'model', config: { provider: 'scripted', name: 'demo' } }
    const first = addNode(start, { ...model, wire: true }, catalog)
    const second = addNode(first.graph, model, catalog)
    const [id = ''] = second.added
    const done = connect(second.graph, { node: id, port: 'model' }, { node: 'a', port: 'model' }, catalog)
    expect(done.graph.edges.filter((edge) => edge.to.port === 'model')).toEqual([
      wire(id, 'model', 'a', 'model'),
    ])
  })

  test('a refused wire changes nothing and says why', () => {
    const refused = connect(start, { node: 'r', port: 'policy' }, { node: 'a', port: 'tools' }, catalog)
    expect(refused.graph).toBe(start)
    expect(refused.notes).toEqual(['A policy goes into the port “policies” of the agent or a tool.'])
  })

  test('a wire is taken away', () => {
    const { graph } = disconnect(start, [wire('web', 'tool', 'a', 'tools')], catalog)
    expect(graph.edges).toHaveLength(2)
    expect(compile(graph, catalog).config?.tools).toHaveLength(1)
  })
})

describe('a wire that replaces another', () => {
  test('is remarked on with the name that is on the card', () => {
    const wired = (tools: string[]) =>
      connect(
        drawing(
          [
            node('a', 'agent', { name: 'a' }),
            node('t', 'tool:builtin', { tools }),
            node('g', 'group', { name: 'web' }),
          ],
          [
            ['t', 'a'],
            ['g', 'a'],
          ],
        ),
        { node: 't', port: 'tool' },
        { node: 'g', port: 'tools' },
        catalog,
      ).notes
    expect(wired(['time.now'])).toEqual(['The wire from time.now to the agent was replaced by the new one.'])
    expect(wired(['time.now', 'math.calculate'])[0]).not.toContain('time.now')
  })
})

describe('notes', () => {
  test('are added, set and removed', () => {
    const added = addNote(start, { text: 'hello', at: [1.5, 2] })
    expect(added.graph.notes[1]).toEqual({ id: 'note_1', text: 'hello', at: [2, 2] })
    const set = setNote(added.graph, 'note_1', { text: 'bye', size: [200, 80] })
    expect(set.graph.notes[1]).toEqual({ id: 'note_1', text: 'bye', at: [2, 2], size: [200, 80] })
    expect(setNote(set.graph, 'note_1', { text: 'bye' }).graph).toBe(set.graph)
    expect(removeNotes(set.graph, ['note_1']).graph.notes).toEqual(start.notes)
  })
})

describe('copy and paste', () => {
  test('a clip survives JSON and comes back under fresh ids with its own wires', () => {
    const content = clip.parse(JSON.parse(JSON.stringify(copyNodes(start, ['sql', 'r', 'note']))))
    const done = paste(start, content, { x: 16, y: 16 }, catalog)
    expect(done.added).toEqual(['builtin_1', 'results_1', 'note_1'])
    expect(done.graph.edges.slice(3)).toEqual([wire('results_1', 'policy', 'builtin_1', 'policies')])
    expect(done.graph.notes[1]?.at).toEqual([17, 18])
  })

  test('the agent is left out where there is one, and comes along where there is none', () => {
    const all = copyNodes(start, ['a', 'sql'])
    expect(paste(start, all, { x: 0, y: 0 }, catalog).notes).toEqual([
      'The agent was left out: a drawing holds one.',
      'Pasted, not connected: a tool of that name exists already.',
    ])
    const alone = paste(empty, all, { x: 0, y: 0 }, catalog)
    expect(alone.graph.edges).toEqual([wire('builtin_1', 'tool', 'agent_1', 'tools')])
  })

  test('a duplicate offers no tool twice: it is wired by hand', () => {
    const done = duplicateNodes(start, ['sql'], { catalog })
    expect(done.graph.nodes.at(-1)).toEqual({
      id: 'builtin_1',
      kind: 'tool:builtin',
      config: { tools: ['sql.*'] },
    })
    expect(compile(done.graph, catalog).config).not.toBeNull()
  })
})

describe('every edit', () => {
  const editArb = fc.record({ which: fc.nat(9), pick: fc.nat(), other: fc.nat() })

  function edited(
    graph: GraphDocument,
    { which, pick, other }: { which: number; pick: number; other: number },
  ): Edited {
    const ids = graph.nodes.map((node) => node.id)
    const id = ids[pick % Math.max(1, ids.length)] ?? 'none'
    const second = ids[other % Math.max(1, ids.length)] ?? 'none'
    const kind = catalog.kinds[pick % catalog.kinds.length]?.kind ?? ''
    const edits = [
      () => addNode(graph, { kind, wire: other % 2 === 0 }, catalog),
      () => removeNodes(graph, [id], catalog),
      () => duplicateNodes(graph, [id, second], { catalog }),
      () => moveNodes(graph, [{ id, at: { x: pick, y: other } }]),
      () => patchConfig(graph, id, { appliesTo: ['web.*'] }, catalog),
      () => connect(graph, { node: id, port: 'policy' }, { node: second, port: 'policies' }, catalog),
      () => connect(graph, { node: id, port: 'tool' }, { node: second, port: 'tools' }, catalog),
      () => disconnect(graph, graph.edges.slice(0, 1), catalog),
      () => setParked(graph, [id], other % 2 === 0, catalog),
      () => shiftNode(graph, id, (other % 3) - 1, catalog),
    ]
    return (edits[which] ?? edits[0])?.() ?? { graph, notes: [], added: [] }
  }

  test('shares a node that comes back to what it was: patterns typed that become a wire', () => {
    const graph = normalize(
      {
        ...empty,
        nodes: [
          { id: 'a', kind: 'agent', config: { name: 'a' } },
          { id: 'web', kind: 'tool:builtin', config: { tools: ['web.*'] } },
          { id: 'r', kind: 'policy:results', config: {} },
        ],
        edges: [wire('web', 'tool', 'a', 'tools'), wire('r', 'policy', 'a', 'policies')],
      },
      catalog,
    ).graph
    const next = patchConfig(graph, 'r', { appliesTo: ['web.*'] }, catalog).graph
    expect(next.edges).toContainEqual(wire('r', 'policy', 'web', 'policies'))
    expect(next.nodes[2]).toBe(graph.nodes[2])
  })

  test('leaves its input alone, shares what it does not change, and keeps the form @deep', () => {
    fc.assert(
      fc.property(fc.oneof(graphArb, wildGraphArb), fc.array(editArb, { maxLength: 4 }), (given, steps) => {
        let graph = normalize(given, catalog).graph
        for (const step of steps) {
          const before = structuredClone(graph)
          const old = new Map(graph.nodes.map((node) => [JSON.stringify(node), node]))
          const next = edited(graph, step).graph
          expect(graph).toEqual(before)
          for (const node of next.nodes) {
            const same = old.get(JSON.stringify(node))
            if (same !== undefined && before.nodes.filter((each) => each.id === node.id).length === 1)
              expect(node).toBe(same)
          }
          expect(graphDocument.safeParse(next).success).toBe(true)
          expect(normalize(next, catalog).graph).toBe(next)
          graph = next
        }
      }),
      { numRuns: countFor({ quick: 100, deep: 500 }) },
    )
  }, 120_000)
})

describe('an edit past what a drawing may hold', () => {
  const nodes = Array.from({ length: mostDrawn.nodes }, (_, n) => ({
    id: `n${n}`,
    kind: 'model',
    config: {},
  }))
  const port = { node: 'n0', port: 'p' }
  const edges = Array.from({ length: mostDrawn.edges }, (_, n) => ({
    from: port,
    to: { node: 'n1', port: `p${n}` },
  }))

  test('adds no node', () => {
    const full = { ...empty, nodes }
    const edited = addNode(full, { kind: 'model' }, catalog)
    expect([edited.graph, edited.notes]).toEqual([full, ['A drawing holds at most 2,000 nodes.']])
  })

  test('draws no wire, be it by hand or by pasting', () => {
    const agent = { id: 'a', kind: 'agent', config: {} }
    const model = { id: 'm', kind: 'model', config: {} }
    const full = { ...empty, nodes: [agent, model, ...nodes.slice(0, 2)], edges }
    const sentence = 'A drawing holds at most 10,000 wires.'
    const wired = connect(full, { node: 'm', port: 'model' }, { node: 'a', port: 'model' }, catalog)
    expect([wired.graph, wired.notes]).toEqual([full, [sentence]])
    const pasted = paste(full, { ...copyNodes(full, ['n0', 'n1']) }, { x: 0, y: 0 }, catalog)
    expect([pasted.graph, pasted.notes]).toEqual([full, [sentence]])
    expect(
      addNode(full, { kind: 'policy:steps', wire: true }, catalog).graph.edges.length,
    ).toBeLessThanOrEqual(mostDrawn.edges)
  })
})
