/** Positions: without overlap, in the order of the ports, and the same every time. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countFor } from '#e2e/test-depth'
import type { GraphDocument, GraphEdge, GraphNode } from '#lib/spec/graph'
import { catalog } from './catalog.fixture'
import type { Point, Size } from './geometry'
import { graphArb } from './graphs.fixture'
import { cardSize, layout } from './layout'
import { type Card, cornersOf, type RoutedWire, routesOf, type WireRoute } from './routes'
import { wireEnds } from './wire-ends'

const card: Size = { width: 200, height: 50 }

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

function groupsOf<T>(items: readonly T[], keyOf: (item: T) => unknown): Map<unknown, T[]> {
  const groups = new Map<unknown, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

interface Parts {
  readonly tools?: readonly { readonly id: string; readonly kind: string; readonly name: string }[]
  /** `over` holds the agent or tools. */
  readonly policies?: readonly { readonly id: string; readonly over: readonly string[] }[]
  readonly more?: readonly string[]
}

function agentWith({ tools = [], policies = [], more = ['model'] }: Parts): GraphDocument {
  return {
    ...graph,
    parked: [],
    nodes: [
      node('a', 'agent'),
      ...more.map((kind) => node(kind, kind)),
      ...tools.map(({ id, kind, name }) => ({ ...node(id, kind), config: { name } })),
      ...policies.map(({ id }) => node(id, 'policy:results')),
    ],
    edges: [
      ...more.map((kind) => (kind === 'output' ? wire('a', kind, kind, kind) : wire(kind, kind, 'a', kind))),
      ...tools.map(({ id }) => wire(id, 'tool', 'a', 'tools')),
      ...policies.flatMap(({ id, over }) => over.map((to) => wire(id, 'policy', to, 'policies'))),
    ],
  }
}

/** Agents as they are drawn: tools of several kinds and groups, policies of the agent and of tools. */
const partsArb: fc.Arbitrary<Parts> = fc
  .record({
    tools: fc.array(
      fc.tuple(fc.constantFrom('tool:http', 'tool:mcp', 'tool:builtin'), fc.constantFrom('a', 'b', 'c', 'd')),
      {
        maxLength: 70,
      },
    ),
    policies: fc.array(fc.tuple(fc.boolean(), fc.array(fc.nat(), { minLength: 1, maxLength: 3 })), {
      maxLength: 24,
    }),
    more: fc.subarray(['model', 'protocol', 'output']),
  })
  .map(({ tools, policies, more }) => ({
    more,
    tools: tools.map(([kind, group], n) => ({ id: `t${n}`, kind, name: `${group}.${n}` })),
    policies: policies.map(([isOverAgent, picks], n) => {
      const chosen = new Set(picks.map((pick) => `t${pick % Math.max(1, tools.length)}`))
      return { id: `p${n}`, over: isOverAgent || tools.length === 0 ? ['a'] : [...chosen] }
    }),
  }))

function cardsOf(drawn: GraphDocument, found: ReadonlyMap<string, Point>): Card[] {
  return drawn.nodes.map((each) => ({
    id: each.id,
    ...(found.get(each.id) ?? { x: Number.NaN, y: Number.NaN }),
    ...cardSize(each, drawn.edges, catalog),
  }))
}

function overlapping(cards: readonly Card[]): string[] {
  return cards.flatMap((a, n) =>
    cards
      .slice(n + 1)
      .filter(
        (b) =>
          !(
            a.x + a.width <= b.x ||
            b.x + b.width <= a.x ||
            a.y + a.height + 16 <= b.y ||
            b.y + b.height + 16 <= a.y
          ),
      )
      .map((b) => `${a.id} ${b.id}`),
  )
}

/** The points of a wire: the corners of a routed one, many points on the curve of any other. */
function lineOf({ from, to }: RoutedWire, route: WireRoute | undefined): Point[] {
  const isDown = to.side === 'top'
  if (route !== undefined) return cornersOf(route, { from, to, isDown })
  const reach = Math.max(28, Math.abs(isDown ? to.y - from.y : to.x - from.x) / 2)
  const [start, end] = isDown
    ? [
        { x: from.x, y: from.y + reach },
        { x: to.x, y: to.y - reach },
      ]
    : [
        { x: from.x + reach, y: from.y },
        { x: to.x - reach, y: to.y },
      ]
  return Array.from({ length: 65 }, (_, n) => {
    const t = n / 64
    const at = (axis: 'x' | 'y') =>
      (1 - t) ** 3 * from[axis] +
      3 * t * (1 - t) ** 2 * start[axis] +
      3 * t ** 2 * (1 - t) * end[axis] +
      t ** 3 * to[axis]
    return { x: at('x'), y: at('y') }
  })
}

/** Whether a line runs through the inside of a card; a port is on its border. */
function crosses(line: readonly Point[], { x, y, width, height }: Card): boolean {
  return line.some((a, n) => {
    const b = line[n + 1]
    if (b === undefined) return false
    const isBeside = Math.max(a.x, b.x) <= x + 1 || Math.min(a.x, b.x) >= x + width - 1
    return !isBeside && Math.max(a.y, b.y) > y + 1 && Math.min(a.y, b.y) < y + height - 1
  })
}

/** The wires that run through a card. */
function crossings(drawn: GraphDocument, cards: readonly Card[]): string[] {
  const idOf = ({ from, to }: GraphEdge) => `${from.node}>${to.node}`
  const wires = wireEnds({ graph: drawn, catalog, cards, idOf })
  expect(wires).toHaveLength(drawn.edges.length)
  const routes = routesOf(wires, cards)
  return wires.flatMap((each) => {
    const line = lineOf(each, routes.get(each.id))
    return cards.filter((box) => crosses(line, box)).map((box) => `${each.id} crosses ${box.id}`)
  })
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

  test('policies of the agent stand above it in the order of their ids, what is loose left of all', () => {
    expect(at('s').y + card.height).toBeLessThan(at('a').y)
    expect(at('e').y).toBe(at('s').y)
    expect(at('e').x).toBeLessThan(at('s').x)
    const least = Math.min(...graph.nodes.filter(({ id }) => id !== 'loose').map(({ id }) => at(id).x))
    expect(at('loose').x + card.width).toBeLessThan(least)
  })

  test('policies of the agent stand in rows of three, centred over it', () => {
    const ids = Array.from({ length: 9 }, (_, n) => `p${n}`)
    const found = layout(agentWith({ policies: ids.map((id) => ({ id, over: ['a'] })) }), catalog)
    const rows = groupsOf(ids, (id) => found.get(id)?.y)
    expect([...rows.values()].map((row) => row.length)).toEqual([3, 3, 3])
    const middle = (found.get('a')?.x ?? 0) + 128
    for (const row of rows.values()) {
      const left = found.get(row[0] ?? '')?.x ?? 0
      const right = (found.get(row.at(-1) ?? '')?.x ?? 0) + 176
      expect((left + right) / 2).toBe(middle)
    }
  })

  test('many tools stand in columns of about ten, those of one group under each other', () => {
    const groups = Array.from({ length: 8 }, (_, n) => `group${n}`)
    const tools = groups.flatMap((group) =>
      Array.from({ length: 5 }, (_, n) => ({ id: `${group}${n}`, kind: 'tool:http', name: `${group}.${n}` })),
    )
    const found = layout(agentWith({ tools }), catalog)
    const columns = groupsOf(tools, ({ id }) => found.get(id)?.x)
    expect(columns.size).toBeGreaterThan(3)
    for (const column of columns.values()) expect(column.length).toBeLessThanOrEqual(12)
    for (const group of groupsOf(tools, ({ name }) => name.split('.')[0]).values()) {
      const ys = group.map(({ id }) => found.get(id)?.y ?? 0)
      expect(new Set(group.map(({ id }) => found.get(id)?.x)).size).toBe(1)
      expect(Math.max(...ys) - Math.min(...ys)).toBe(4 * 96)
    }
  })

  test('a policy stands in the row of its tool', () => {
    const tools = Array.from({ length: 30 }, (_, n) => ({ id: `t${n}`, kind: 'tool:http', name: `t${n}` }))
    const policies = tools.map(({ id }) => ({ id: `p${id}`, over: [id] }))
    const found = layout(agentWith({ tools, policies }), catalog)
    for (const { id } of tools) {
      const [tool, policy] = [found.get(id), found.get(`p${id}`)]
      expect(policy?.y).toBe(tool?.y)
      expect((tool?.x ?? 0) - (policy?.x ?? 0)).toBeLessThan(176 + 100)
    }
  })

  test('of policies that each cover all tools, every tool has one beside it', () => {
    const tools = Array.from({ length: 60 }, (_, n) => ({ id: `t${n}`, kind: 'tool:builtin', name: `t${n}` }))
    const policies = tools.map((_, n) => ({ id: `p${n}`, over: tools.map(({ id }) => id) }))
    const drawn = agentWith({ tools, policies })
    const found = layout(drawn, catalog)
    for (const n of tools.keys()) expect(found.get(`p${n}`)?.y).toBe(found.get(`t${n}`)?.y)
    expect(overlapping(cardsOf(drawn, found))).toEqual([])
  })

  test('nothing overlaps and no wire crosses a card, however many parts there are @deep', () => {
    fc.assert(
      fc.property(partsArb, (parts) => {
        const drawn = agentWith(parts)
        const cards = cardsOf(drawn, layout(drawn, catalog))
        expect(overlapping(cards)).toEqual([])
        expect(crossings(drawn, cards)).toEqual([])
      }),
      { numRuns: countFor({ quick: 60, deep: 1_000 }) },
    )
  }, 120_000)

  test.each([
    [150, 119],
    [400, 200],
  ])(
    'of %i parts, nothing overlaps, no wire crosses a card, and the same drawing has the same layout',
    (count, tools) => {
      const groups = ['orders', 'stock', 'mail', 'files', 'web', 'notes', 'plans']
      const ids = Array.from({ length: tools }, (_, n) => `t${n}`)
      const drawn = agentWith({
        tools: ids.map((id, n) => ({ id, kind: 'tool:http', name: `${groups[n % groups.length]}.${id}` })),
        policies: Array.from({ length: count - tools - 2 }, (_, n) => ({
          id: `p${n}`,
          over: n % 4 === 0 ? ['a'] : [`t${(n * 7) % tools}`],
        })),
      })
      expect(drawn.nodes).toHaveLength(count)
      const found = layout(drawn, catalog)
      const cards = cardsOf(drawn, found)
      expect(overlapping(cards)).toEqual([])
      expect(crossings(drawn, cards)).toEqual([])
      expect(layout(structuredClone(drawn), catalog)).toEqual(found)
    },
  )

  test('the order in which parts were added does not change the layout', () => {
    fc.assert(
      fc.property(partsArb, fc.array(fc.nat(), { minLength: 8, maxLength: 8 }), (parts, keys) => {
        const drawn = agentWith(parts)
        const shuffle = <T>(list: readonly T[]): T[] =>
          list
            .map((item, n) => ({ item, key: ((keys[n % 8] ?? 0) + n * 7_919) % 101 }))
            .sort((a, b) => a.key - b.key)
            .map(({ item }) => item)
        const other = { ...drawn, nodes: shuffle(drawn.nodes), edges: shuffle(drawn.edges) }
        expect(Object.fromEntries(layout(other, catalog))).toEqual(Object.fromEntries(layout(drawn, catalog)))
      }),
      { numRuns: 60 },
    )
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
