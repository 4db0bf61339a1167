import { describe, expect, it } from 'vitest'
import { graphDigest, mostInDigest } from '#lib/spec/digest'
import { emptyGraph, type GraphDocument, type GraphNode } from '#lib/spec/graph'
import { catalog } from './catalog.fixture'
import { digestOf } from './digest'

function drawn(count: number, at: boolean): GraphDocument {
  const config = { provider: 'openai', name: 'x'.repeat(5_000), baseText: 'y'.repeat(5_000) }
  const nodes: GraphNode[] = [
    ...Array.from({ length: count }, (_, n) => ({
      id: `p${n}`,
      kind: 'policy:steps',
      config: { note: 'z'.repeat(10_000) },
      ...(at && { at: { x: n * 10.4, y: n } }),
    })),
    { id: 'm', kind: 'model', config },
    { id: 'a', kind: 'agent', config: { name: 'large' } },
  ]
  const edges = nodes.slice(0, -1).map(({ id, kind }) => ({
    from: { node: id, port: kind === 'model' ? 'model' : 'policy' },
    to: { node: 'a', port: kind === 'model' ? 'model' : 'policies' },
  }))
  return { ...emptyGraph, nodes, edges }
}

describe('the digest of a drawing', () => {
  it('counts what is wired, and says the model', () => {
    const graph = drawn(3, true)
    expect(digestOf(graph, catalog)).toMatchObject({ tools: 0, policies: 3, model: { provider: 'openai' } })
    expect(digestOf({ ...graph, parked: ['p0', 'm'] }, catalog)).toMatchObject({ policies: 2, model: null })
    expect(digestOf(emptyGraph, catalog)).toEqual({
      nodes: [],
      wires: [],
      tools: 0,
      policies: 0,
      model: null,
    })
  })

  it.each([true, false])('stays small however large the drawing is, with places: %s', (at) => {
    const digest = graphDigest.parse(digestOf(drawn(1_500, at), catalog))
    expect(digest.nodes).toHaveLength(mostInDigest.nodes)
    expect(digest.policies).toBe(1_500)
    expect(digest.nodes.some(({ kind }) => kind === 'agent')).toBe(true)
    expect(digest.wires.length).toBeGreaterThan(90)
    expect(JSON.stringify(digest).length).toBeLessThan(10_000)
  })
})
