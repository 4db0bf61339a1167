/** Drawings of the largest size, passed through everything that reads them. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type GraphDocument, type GraphEdge, type GraphNode, graphDocument, mostDrawn } from '#lib/spec/graph'
import { took } from '#lib/spec/took.fixture'
import { agentView } from '#lib/wire/agents'
import { authorityView } from '#lib/wire/authority'
import { parseJson } from '#lib/wire/json'
import { limitsOf } from '#lib/wire/limits'
import { type House, openHouse } from '../house.fixture'

let house: House
beforeEach(() => {
  house = openHouse()
})
afterEach(() => house.end())

interface Sizes {
  readonly entries: number
  readonly policies: number
  /** Additional nodes without wires. */
  readonly parked?: number
  /** Wires of each policy to entries; 0 wires it to the agent. */
  readonly wires: number
  readonly config?: (index: number) => GraphNode['config']
}

const code = (index: number) => ({
  name: `fn_${index}`,
  description: 'Gives one.',
  parameters: { type: 'object', properties: { text: { type: 'string' } } },
  source: 'return 1',
})
const use = ['timeout', 'retry', 'results', 'repeat']
const wire = (node: string, port: string, to: string, into: string): GraphEdge => ({
  from: { node, port },
  to: { node: to, port: into },
})

function drawn({ entries, policies, parked = 0, wires, config = code }: Sizes): GraphDocument {
  const kind = config === code ? 'tool:code' : 'tool:builtin'
  const at = (index: number) => ({ x: index * 16, y: index })
  const nodes: GraphNode[] = [
    { id: 'a', kind: 'agent', config: { name: 'large' }, at: at(0) },
    ...Array.from({ length: entries }, (_, n) => ({ id: `t${n}`, kind, config: config(n), at: at(n) })),
    ...Array.from({ length: policies }, (_, n) => ({
      id: `p${n}`,
      kind: `policy:${use[n % use.length]}`,
      config: {},
      at: at(n),
    })),
    ...Array.from({ length: parked }, (_, n) => ({
      id: `u${n}`,
      kind,
      config: config(entries + n),
      at: at(n),
    })),
  ]
  const edges = [
    ...Array.from({ length: entries }, (_, n) => wire(`t${n}`, 'tool', 'a', 'tools')),
    ...Array.from({ length: policies }, (_, n) =>
      wires === 0
        ? [wire(`p${n}`, 'policy', 'a', 'policies')]
        : Array.from({ length: wires }, (__, k) =>
            wire(`p${n}`, 'policy', `t${(n * 7 + k * 13) % entries}`, 'policies'),
          ),
    ).flat(),
  ]
  return graphDocument.parse({ version: 1, nodes, edges })
}

it('an agent of 1,000 nodes and 1,400 wires is made, saved, read, compiled and exported', async () => {
  const graph = drawn({ entries: 200, policies: 200, parked: 599, wires: 6 })
  expect([graph.nodes.length, graph.edges.length]).toEqual([1_000, 1_400])
  const { agents } = house.app
  const { id, config } = agentView.parse(agents.create({ graph }))
  expect(config).not.toBeNull()
  const saved = agentView.parse(agents.save(id, { graph, revision: 1 }))
  expect(saved.graph.nodes).toHaveLength(1_000)
  expect(agentView.parse(agents.get(id)).config).toEqual(config)
  const again = agents.importFile(JSON.parse(agents.exported(id).text), { rename: true })
  expect(again.graph.nodes).toHaveLength(1_000)
  const { authority } = authorityView.parse(await house.app.authority(graph))
  expect(authority?.offered).toHaveLength(200)
  expect(took(() => house.app.compile(graph))).toBeLessThan(1_000)
}, 60_000)

it('the largest drawing passes the limits of a body', () => {
  const graph = drawn({ entries: 999, policies: 1_000, wires: 9 })
  expect([graph.nodes.length, graph.edges.length]).toEqual([mostDrawn.nodes, 9_999])
  for (const path of ['/api/agents/agent_1', '/api/agents', '/api/compile', '/api/authority']) {
    const read = parseJson(JSON.stringify({ graph, revision: 1 }), limitsOf(path))
    expect([path, read.ok]).toEqual([path, true])
  }
}, 60_000)

it('what a drawing costs grows with its size and no faster', () => {
  const shapes: Sizes[] = [
    { entries: 60, policies: 40, wires: 2 },
    { entries: 60, policies: 40, wires: 0 },
    { entries: 60, policies: 40, wires: 2, config: () => ({ tools: ['math.calculate', 'sql.*'] }) },
  ]
  for (const shape of shapes) {
    const of = (times: number) =>
      drawn({ ...shape, entries: shape.entries * times, policies: shape.policies * times })
    const [small, large] = [of(2), of(19)]
    const cost = (graph: GraphDocument) =>
      Math.min(...Array.from({ length: 3 }, () => took(() => house.app.compile(graph))))
    cost(small)
    // The drawing is nearly ten times as large; quadratic work would take ninety times as long.
    expect(cost(large)).toBeLessThan(40 * Math.max(2, cost(small)))
  }
}, 60_000)

it('a drawing that would need more wires than one may hold stays as it is, and can be read again', () => {
  const same = () => ({ tools: ['math.calculate', 'sql.*'] })
  const graph = drawn({ entries: 600, policies: 400, wires: 2, config: same })
  const { agents } = house.app
  let id = ''
  expect(took(() => (id = agents.create({ graph }).id))).toBeLessThan(5_000)
  const stored = agents.get(id).graph
  expect(stored.edges.length).toBeLessThanOrEqual(mostDrawn.edges)
  expect(graphDocument.parse(stored)).toEqual(stored)
}, 60_000)
