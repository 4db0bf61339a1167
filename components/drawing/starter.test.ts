import { describe, expect, it } from 'vitest'
import { smallCatalog as catalog } from '#components/canvas/catalog.fixture'
import { emptyGraph } from '#lib/spec/graph'
import { renameGraph, starterGraph } from './starter'

describe('a new agent', () => {
  it('has a name of its own and a model wired to it', () => {
    const graph = starterGraph(catalog, new Set(['untitled-agent']))
    expect(graph.nodes.map((each) => each.kind)).toEqual(['agent', 'model'])
    expect(graph.nodes[0]?.config).toEqual({ name: 'untitled-agent-2', title: 'Untitled agent 2' })
    expect(starterGraph(catalog, new Set()).nodes[0]?.config).toEqual({
      name: 'untitled-agent',
      title: 'Untitled agent',
    })
    expect(graph.edges).toHaveLength(1)
  })
})

describe('free names', () => {
  it('are given to a copy, whose title says what it is', () => {
    const graph = {
      ...emptyGraph,
      nodes: [{ id: 'a', kind: 'agent', config: { name: 'retail', title: 'Retail' } }],
    }
    expect(renameGraph(graph, catalog, new Set(['retail'])).nodes[0]?.config).toEqual({
      name: 'retail-2',
      title: 'Retail (copy)',
    })
  })
})
