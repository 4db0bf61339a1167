import { describe, expect, it } from 'vitest'
import { smallCatalog as catalog } from '#components/canvas/catalog.fixture'
import type { GraphDocument } from '#lib/spec/graph'
import { flowEdges, flowNodes } from './flow'

const graph: GraphDocument = {
  version: 1,
  nodes: [
    { id: 'agent', kind: 'agent', config: { name: 'a' } },
    { id: 'model', kind: 'model', config: {}, at: { x: 16, y: 32 } },
  ],
  edges: [{ from: { node: 'model', port: 'model' }, to: { node: 'agent', port: 'model' } }],
  notes: [{ id: 'agent', text: 'hello', at: [0, 0] }],
  parked: [],
  look: { frames: [] },
}
const places = new Map([['agent', { x: 320, y: 0 }]])

describe('what the canvas draws', () => {
  it('keeps every object that did not change', () => {
    const first = flowNodes([], { graph, catalog, places })
    const [agent, model] = graph.nodes
    if (agent === undefined || model === undefined) throw new Error('two nodes')
    const renamed = { ...graph, nodes: [{ ...agent, config: { name: 'b' } }, model] }
    const second = flowNodes(first, { graph: renamed, catalog, places })
    expect(second[0]).not.toBe(first[0])
    expect(second[1]).toBe(first[1])
    expect(second[2]).toBe(first[2])
    expect(second[0]?.position).toBe(first[0]?.position)
  })

  it('keeps size and selection of a card that was edited', () => {
    const first = flowNodes([], { graph, catalog, places }).map((each) => ({
      ...each,
      selected: true,
      measured: { width: 200, height: 50 },
    }))
    const moved = {
      ...graph,
      nodes: graph.nodes.map((each) => (each.id === 'model' ? { ...each, at: { x: 0, y: 0 } } : each)),
    }
    expect(flowNodes(first, { graph: moved, catalog, places })[1]).toMatchObject({
      selected: true,
      measured: { width: 200 },
      position: { x: 0, y: 0 },
    })
  })

  it('lets a note and a node have the same id', () => {
    const ids = flowNodes([], { graph, catalog, places }).map((each) => each.id)
    expect(new Set(ids).size).toBe(3)
  })

  it('dots the wires of a node that is switched off', () => {
    const edges = flowEdges([], { graph, catalog, places })
    expect(edges[0]?.data).toEqual({ family: 'model', off: false })
    expect(flowEdges(edges, { graph, catalog, places })[0]).toBe(edges[0])
    expect(flowEdges(edges, { graph: { ...graph, parked: ['model'] }, catalog, places })[0]?.data?.off).toBe(
      true,
    )
  })
})
