/** Which cards of a large drawing have words and ports, and which wires are rendered, for a view. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FlowEdge, FlowNode } from '#components/drawing/flow'
import { type CanvasView, drawnFor, everything, farZoom, nextSeen } from './seen'

const view = (x: number, zoom = 1): CanvasView => ({
  width: 800,
  height: 600,
  transform: [-x * zoom, 0, zoom],
})
const handles = [{ type: 'source', position: 'right', x: 0, y: 0 }] as FlowNode['handles'] // cast: one of the library's enums
const cardAt = (id: string, x: number, more: Partial<FlowNode> = {}): FlowNode =>
  // cast: the spread of a partial union loses which member it is
  ({
    id,
    type: 'card',
    position: { x, y: 0 },
    measured: { width: 200, height: 50 },
    handles,
    data: { node: { id, kind: 'tool', config: {} } },
    ...more,
  }) as FlowNode
const wire = (source: string, target: string, more: Partial<FlowEdge> = {}): FlowEdge => ({
  id: `${source}>${target}`,
  type: 'wire',
  source,
  target,
  ...more,
})
const bareIds = (nodes: readonly FlowNode[]) =>
  nodes.flatMap((each) => (each.type === 'card' && each.data.face === 'bare' ? [each.id] : []))

describe('what is seen of a large drawing', () => {
  it('stays the same during a short pan, and follows a long one', () => {
    const start = nextSeen(everything, view(0))
    expect(start).toEqual({ box: { x: -120, y: -90, width: 1_040, height: 780 }, most: 'whole' })
    expect(nextSeen(start, view(110))).toBe(start)
    expect(nextSeen(start, view(250)).box.x).toBe(130)
  })

  it('becomes smaller after zooming in, and holds no more of a card than can be seen', () => {
    const start = nextSeen(everything, view(0))
    expect(nextSeen(start, view(0, 1.2))).toBe(start)
    expect(nextSeen(start, view(0, 2)).box.width).toBe(520)
    const faces = [0.45, 0.44, farZoom, farZoom - 0.01].map((zoom) => nextSeen(start, view(0, zoom)).most)
    expect(faces).toEqual(['whole', 'named', 'named', 'bare'])
  })

  it('always holds all of the view, and not much more', () => {
    const views = fc.record({
      x: fc.integer({ min: -5_000, max: 5_000 }),
      zoom: fc.double({ min: 0.05, max: 2, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(views, { minLength: 1, maxLength: 12 }), (moves) => {
        let seen = everything
        for (const { x, zoom } of moves) {
          seen = nextSeen(seen, view(x, zoom))
          expect(seen.box.x).toBeLessThanOrEqual(x)
          expect(seen.box.x + seen.box.width).toBeGreaterThanOrEqual(x + 800 / zoom)
          expect(seen.box.width).toBeLessThanOrEqual((800 / zoom) * 2)
        }
      }),
    )
  })

  it('does not change before the canvas has a size', () => {
    expect(nextSeen(everything, { width: 0, height: 0, transform: [0, 0, 1] })).toBe(everything)
  })
})

describe('a large drawing', () => {
  const nodes = [cardAt('agent', 0, { handles: undefined }), cardAt('near', 500), cardAt('away', 9_000)]
  const edges = [wire('near', 'agent'), wire('away', 'agent'), wire('away', 'away')]
  const close = nextSeen(everything, view(0))

  it('has words and ports only on the cards in view; a card that has to be measured always has them', () => {
    expect(bareIds(drawnFor({ nodes, edges }, close).nodes)).toEqual(['away'])
    expect(bareIds(drawnFor({ nodes, edges }, { ...close, most: 'bare' }).nodes)).toEqual(['near', 'away'])
  })

  it('has the wires that may pass through the view, and those that are selected', () => {
    const far = nextSeen(everything, view(-9_000))
    expect(drawnFor({ nodes, edges }, close).edges).toEqual(edges.slice(0, 2))
    expect(drawnFor({ nodes, edges }, far).edges).toEqual([])
    const chosen = edges.map((each) => ({ ...each, selected: true }))
    expect(drawnFor({ nodes, edges: chosen }, far).edges).toEqual(chosen)
  })

  it('gives the same bare card every time, until the card changes', () => {
    const [first, again] = [drawnFor({ nodes, edges }, close), drawnFor({ nodes, edges }, close)]
    expect(first.nodes.every((each, n) => each === again.nodes[n])).toBe(true)
    const moved = nodes.map((each) => ({ ...each, position: { x: 9_500, y: 0 } }))
    expect(drawnFor({ nodes: moved, edges }, close).nodes[2]?.position.x).toBe(9_500)
  })
})
