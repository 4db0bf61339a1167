/** Positions: without overlap, in the order of the ports, and the same every time. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countFor } from '#e2e/test-depth'
import type { GraphDocument, GraphEdge, GraphNode } from '#lib/spec/graph'
import { catalog } from './catalog.fixture'
import { graphArb } from './graphs.fixture'
import { layout, type Size } from './layout'

const card: Size = { width: 200, height: 48 }

function wire(from: string, out: string, to: string, port: string): GraphEdge {
  return { from: { node: from, port: out }, to: { node: to, port } }
}

function node(id: string, kind: string): GraphNode {
  return { id, kind, config: {} }
}

const graph: GraphDocument = {
  version: 1,
  nodes: [
    node('p2', 'policy:results'),
    node('t1', 'tool:builtin'),
    node('t2', 'tool:mcp'),
    node('a', 'agent'),
    node('s', 'policy:steps'),
    node('e', 'policy:execution'),
    node('loose', 'tool:http'),
    node('m', 'model'),
    node('p1', 'policy:results'),
  ],
  edges: [
    wire('t1', 'tool', 'a', 'tools'),
    wire('t2', 'tool', 'a', 'tools'),
    wire('m', 'model', 'a', 'model'),
    wire('s', 'policy', 'a', 'policies'),
    wire('e', 'policy', 'a', 'policies'),
    wire('p2', 'policy', 't2', 'policies'),
    wire('p1', 'policy', 't1', 'policies'),
  ],
  notes: [],
  parked: ['t2'],
  look: { frames: [] },
}

describe('layout', () => {
  const places = layout(graph, catalog)
  const at = (id: string) => places.get(id) ?? { x: Number.NaN, y: Number.NaN }

  test('sources stand left of what they go into, in the order of the ports', () => {
    expect(at('m').x).toBe(at('t1').x)
    expect(at('t1').x + card.width).toBeLessThan(at('a').x)
    expect([at('m').y, at('t1').y, at('t2').y]).toEqual(
      [at('m').y, at('t1').y, at('t2').y].toSorted((a, b) => a - b),
    )
    expect(at('p1').x + 176).toBeLessThan(at('t1').x)
    expect(at('p1').y).toBeLessThan(at('p2').y)
  })

  test('a card that can have a strap has 44 under it', () => {
    expect(at('t1').y - at('m').y - card.height).toBeGreaterThanOrEqual(44)
    expect(at('t2').y - at('t1').y - card.height).toBeGreaterThanOrEqual(44)
    expect(at('p2').y - at('p1').y - card.height).toBeGreaterThanOrEqual(16)
  })

  test('policies of the agent stand above it in their order, what is loose left of all', () => {
    expect(at('s').y + card.height).toBeLessThan(at('a').y)
    expect(at('e').y).toBe(at('s').y)
    expect(at('s').x).toBeLessThan(at('e').x)
    const least = Math.min(...graph.nodes.filter(({ id }) => id !== 'loose').map(({ id }) => at(id).x))
    expect(at('loose').x + card.width).toBeLessThan(least)
  })

  test('of thousands of wires, those that put each node into its column are enough', () => {
    const ids = (letter: string) => Array.from({ length: 60 }, (_, n) => `${letter}${n}`)
    const [policies, tools] = [ids('p'), ids('t')]
    const large: GraphDocument = {
      ...graph,
      parked: [],
      nodes: [
        node('a', 'agent'),
        ...tools.map((id) => node(id, 'tool:builtin')),
        ...policies.map((id) => node(id, 'policy:results')),
      ],
      edges: [
        ...tools.map((id) => wire(id, 'tool', 'a', 'tools')),
        ...policies.flatMap((id) => tools.map((to) => wire(id, 'policy', to, 'policies'))),
      ],
    }
    const found = layout(large, catalog)
    const columns = [policies, tools, ['a']].map((each) => new Set(each.map((id) => found.get(id)?.x)))
    expect(columns.map(({ size }) => size)).toEqual([1, 1, 1])
    const [left = 0, middle = 0, right = 0] = columns.map(([x]) => x)
    expect([left + 176 < middle, middle + card.width < right]).toEqual([true, true])
  })

  test('every node of any graph has a place on the grid, clear of all others, the same every time @deep', () => {
    fc.assert(
      fc.property(
        graphArb,
        fc.array(fc.integer({ min: 20, max: 300 }), { minLength: 8, maxLength: 8 }),
        (any, tall) => {
          const sizes = new Map<string, Size>(
            any.nodes.map(({ id }, n) => [id, { width: 200, height: tall[n % 8] ?? 48 }]),
          )
          const found = layout(any, catalog, sizes)
          expect(found).toEqual(layout(structuredClone(any), catalog, sizes))
          const boxes = any.nodes.map(({ id }) => ({
            ...(found.get(id) ?? { x: 0.5, y: 0.5 }),
            ...(sizes.get(id) ?? card),
          }))
          for (const [n, a] of boxes.entries()) {
            expect([a.x % 4, a.y % 4].every((rest) => rest === 0)).toBe(true)
            for (const b of boxes.slice(n + 1)) {
              const apart =
                a.x + a.width <= b.x ||
                b.x + b.width <= a.x ||
                a.y + a.height + 16 <= b.y ||
                b.y + b.height + 16 <= a.y
              expect(apart).toBe(true)
            }
          }
        },
      ),
      { numRuns: countFor({ quick: 40, deep: 200 }) },
    )
  }, 120_000)
})
