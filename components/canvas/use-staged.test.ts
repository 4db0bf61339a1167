import { describe, expect, it } from 'vitest'
import type { FlowEdge, FlowNode } from '#components/drawing/flow'
import { cut } from './use-staged'

const nodes = ['agent', 'a', 'b', 'c'].map(
  (id): FlowNode => ({
    id,
    type: 'card',
    position: { x: 0, y: 0 },
    data: { node: { id, kind: 'tool', config: {} } },
  }),
)
const edges = ['a', 'b', 'c'].map(
  (source): FlowEdge => ({ id: source, type: 'wire', source, target: 'agent' }),
)
const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id)

describe('a large drawing, rendered over several frames', () => {
  it('renders the first cards, and only wires whose two cards are rendered', () => {
    const { nodes: now, edges: wires, rest } = cut({ nodes, edges }, { nodes: 2, edges: 3 })
    expect(idsOf(now)).toEqual(['agent', 'a'])
    expect(idsOf(wires)).toEqual(['a'])
    expect(idsOf(rest.nodes)).toEqual(['b', 'c'])
    expect(idsOf(rest.edges)).toEqual(['b', 'c'])
  })

  it('renders the wires after the cards, a number of them at a time', () => {
    const { nodes: now, edges: wires, rest } = cut({ nodes, edges }, { nodes: 40, edges: 2 })
    expect(now).toHaveLength(4)
    expect(rest.nodes).toEqual([])
    expect(idsOf(wires)).toEqual(['a', 'b'])
    expect(idsOf(rest.edges)).toEqual(['c'])
  })
})
