import { describe, expect, it } from 'vitest'
import { smallCatalog } from '#components/canvas/catalog.fixture'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument } from '#lib/spec/graph'
import { cardFacts } from './card-facts'
import { isLarge } from './drawing-worker'
import { fittingPorts, listsPort } from './fitting-ports'
import { flowEdges } from './flow'
import { createGraphStore } from './graph-store'

const catalog: Catalog = {
  ...smallCatalog,
  kinds: [
    ...smallCatalog.kinds,
    ...['group', 'tool:mcp'].map((kind) => ({
      kind,
      label: kind,
      help: '',
      icon: 'box',
      family: 'tool' as const,
      place: { at: 'list' as const, key: kind === 'group' ? 'groups' : 'tools' },
      out: 'tool' as const,
      in: [{ name: 'tools', accepts: 'tool' as const, many: true }],
      schema: {},
      initial: {},
    })),
  ],
}

const graph: GraphDocument = {
  version: 1,
  nodes: [
    { id: 'agent', kind: 'agent', config: {} },
    { id: 'model', kind: 'model', config: {} },
    { id: 'extras', kind: 'group', config: { name: 'extras', active: false } },
    { id: 'server', kind: 'tool:mcp', config: {} },
  ],
  edges: [
    { from: { node: 'extras', port: 'tool' }, to: { node: 'agent', port: 'tools' } },
    { from: { node: 'server', port: 'tool' }, to: { node: 'extras', port: 'tools' } },
  ],
  notes: [],
  parked: [],
  look: { frames: [] },
}
const said = { catalog, paths: new Map(), findings: new Map(), permits: new Map(), isReadOnly: false }

describe('what the drawing says of a card', () => {
  const facts = cardFacts({ graph, ...said })

  it('tells a group that starts inactive, and what is wired to it', () => {
    expect(facts.get('extras')).toMatchObject({ group: 'extras', isGroupOff: true, filled: 'tool tools' })
    expect(facts.get('server')).toMatchObject({ group: 'extras', isGroupOff: true, filled: 'tool' })
    expect(facts.get('agent')).toMatchObject({ group: undefined, isGroupOff: false })
    const edges = flowEdges([], { graph, catalog, places: new Map() })
    expect(edges.map((each) => each.data?.groupOff)).toEqual([true, true])
  })

  it('tells what is wired to nothing, but never of the agent', () => {
    expect([...facts].flatMap(([id, { isLoose }]) => (isLoose ? [id] : []))).toEqual(['model'])
  })

  it('stays the same object for a card of which nothing else is said', () => {
    const parked = { ...graph, parked: ['model'] }
    const after = cardFacts({ graph: parked, ...said }, facts)
    expect([...after].filter(([id, each]) => each !== facts.get(id)).map(([id]) => id)).toEqual(['model'])
  })
})

describe('while a wire is drawn', () => {
  it('a card knows its fitting ports, dims without one, and knows nothing of it before', () => {
    const wiring = {
      node: 'model',
      port: 'model',
      end: 'source' as const,
      nodes: new Set(['model', 'a:1']),
      ports: new Set(['a:1:model', 'a:1:spare']),
    }
    expect(fittingPorts(wiring, 'a:1')).toBe('model spare')
    expect(fittingPorts(wiring, 'model')).toBe('')
    expect(fittingPorts(wiring, 'other')).toBeNull()
    expect(fittingPorts(null, 'a:1')).toBeUndefined()
    expect(listsPort('model spare', 'spare')).toBe(true)
    expect(listsPort('', '')).toBe(false)
  })
})

describe('a large drawing without places', () => {
  it('is drawn at once and gets its places a moment later', async () => {
    const nodes = Array.from({ length: 201 }, (_, n) => ({
      id: `n${n}`,
      kind: 'tool:mcp',
      config: {},
    }))
    const large = { ...graph, nodes, edges: [] }
    expect(isLarge(large)).toBe(true)
    const store = createGraphStore({ graph: large, catalog })
    const spots = () => new Set(store.getState().nodes.map(({ position: { x, y } }) => `${x} ${y}`))
    const rough = spots()
    expect(rough.size).toBe(nodes.length)
    await expect.poll(() => store.getState().settled).toBe(1)
    expect(spots()).not.toEqual(rough)
  })
})
