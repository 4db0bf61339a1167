import { describe, expect, it } from 'vitest'
import { smallCatalog as catalog } from '#components/canvas/catalog.fixture'
import { digestOf } from '#lib/graph/digest'
import type { GraphDocument } from '#lib/spec/graph'
import { thumbnailOf } from './thumbnail'

const frame = { width: 360, height: 96, margin: 8 }
const graph: GraphDocument = {
  version: 1,
  nodes: [
    { id: 'agent', kind: 'agent', config: {}, at: { x: 3_000, y: -500 } },
    { id: 'model', kind: 'model', config: {}, at: { x: 0, y: 4_000 } },
    { id: 'odd', kind: 'gone', config: {}, at: { x: 100, y: 100 } },
  ],
  edges: [
    { from: { node: 'model', port: 'model' }, to: { node: 'agent', port: 'model' } },
    { from: { node: 'nobody', port: 'model' }, to: { node: 'agent', port: 'model' } },
  ],
  notes: [],
  parked: [],
  look: { frames: [] },
}

describe('a thumbnail', () => {
  it('keeps every box within its frame, however far apart they stand', () => {
    for (const box of thumbnailOf(digestOf(graph, catalog), catalog, frame).boxes) {
      expect(box.x).toBeGreaterThanOrEqual(frame.margin - 0.1)
      expect(box.y).toBeGreaterThanOrEqual(frame.margin - 0.1)
      expect(box.x + box.width).toBeLessThanOrEqual(frame.width - frame.margin + 0.3)
      expect(box.y + box.height).toBeLessThanOrEqual(frame.height - frame.margin + 0.3)
    }
  })

  it('draws a wire for each edge that has both its ends', () => {
    expect(thumbnailOf(digestOf(graph, catalog), catalog, frame).wires).toHaveLength(1)
  })

  it('draws a part it does not know, and lays out what has no place', () => {
    expect(thumbnailOf(digestOf(graph, catalog), catalog, frame).boxes.map((each) => each.family)).toEqual([
      'agent',
      'model',
      'note',
    ])
    const homeless = { ...graph, nodes: graph.nodes.map(({ at: _at, ...node }) => node) }
    const [agent, model] = thumbnailOf(digestOf(homeless, catalog), catalog, frame).boxes
    expect(model?.x).toBeLessThan(agent?.x ?? 0)
  })

  it('is empty for an empty drawing', () => {
    expect(thumbnailOf(digestOf({ ...graph, nodes: [], edges: [] }, catalog), catalog, frame)).toEqual({
      boxes: [],
      wires: [],
    })
  })
})
