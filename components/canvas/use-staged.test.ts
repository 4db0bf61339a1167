import { describe, expect, it } from 'vitest'
import type { FlowEdge, FlowNode } from '#components/drawing/flow'
import { type Drawn, drawnFor, everything } from './seen'
import { advance } from './use-staged'

const cardAt = (id: string, x: number, more: Partial<FlowNode> = {}): FlowNode =>
  // cast: the spread of a partial union loses which member it is
  ({
    id,
    type: 'card',
    position: { x, y: 0 },
    data: { node: { id, kind: 'tool', config: {} } },
    ...more,
  }) as FlowNode
const wire = (source: string, target: string): FlowEdge => ({
  id: `${source}>${target}`,
  type: 'wire',
  source,
  target,
})
const ids = ['agent', 'a', 'b', 'c']
const nodes = ids.map((id) => cardAt(id, 0))
const edges = ids.slice(1).map((id) => wire(id, 'agent'))
const nothing = { nodes: [], edges: [] }
const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id)
const placesOf = (list: readonly FlowNode[]) => list.map(({ position }) => position.x)
const two = { nodes: 2, edges: 2 }

/** What each frame changes on the way, and whether all cards are in their places after it. */
function framesTo(from: Drawn, to: Drawn, portion: Parameters<typeof advance>[2]) {
  const frames: { readonly changed: number; readonly isPlaced: boolean }[] = []
  let [now, isWhole]: [Drawn, boolean] = [from, false]
  while (!isWhole && frames.length < 100) {
    const next = advance(now, to, portion)
    const changed = newIn(now.nodes, next.nodes) + newIn(now.edges, next.edges)
    frames.push({ changed, isPlaced: next.isPlaced })
    ;[now, isWhole] = [next, next.isWhole]
  }
  return frames
}

function newIn(before: readonly object[], now: readonly object[]): number {
  const known = new Set(before)
  return now.filter((each) => !known.has(each)).length
}

describe('a large drawing, rendered over several frames', () => {
  it('renders the first cards, and a wire only when the cards are rendered', () => {
    const { nodes: now, edges: wires, rest, isWhole } = advance(nothing, { nodes, edges }, two)
    expect(idsOf(now)).toEqual(['agent', 'a'])
    expect(wires).toEqual([])
    expect(idsOf(rest.nodes)).toEqual(['b', 'c'])
    expect(rest.edges).toEqual(edges)
    expect(isWhole).toBe(false)
  })

  it('renders the wires after the cards, a number of them at a time', () => {
    const started = { nodes, edges: [] }
    const { nodes: now, edges: wires, rest } = advance(started, { nodes, edges }, two)
    expect(now).toBe(nodes)
    expect(rest.nodes).toEqual([])
    expect(wires).toEqual(edges.slice(0, 2))
    expect(rest.edges).toEqual(edges.slice(2))
  })

  it('comes to the whole drawing, with the lists of the store', () => {
    const goal = { nodes, edges }
    let staged = advance(nothing, goal, two)
    const frames = [staged]
    while (!staged.isWhole && frames.length < 20) {
      staged = advance(staged, goal, two)
      frames.push(staged)
    }
    expect(frames).toHaveLength(4)
    expect(staged.nodes).toBe(nodes)
    expect(staged.edges).toBe(edges)
    expect(staged.rest).toEqual(nothing)
  })
})

describe('a large change of a drawing that is rendered', () => {
  const moved = ids.map((id) => cardAt(id, 100))
  const drawn = { nodes, edges }

  it('moves a number of cards in each frame; the others stay where they are, and no wire goes', () => {
    const staged = advance(drawn, { nodes: moved, edges }, two)
    expect(placesOf(staged.nodes)).toEqual([100, 100, 0, 0])
    expect(staged.edges).toBe(edges)
    expect(staged.rest).toEqual(nothing)
    expect(staged.isWhole).toBe(false)
    const next = advance(staged, { nodes: moved, edges }, two)
    expect(next.nodes).toBe(moved)
    expect(next.isWhole).toBe(true)
  })

  it('goes to the newest places when the cards are moved again before all of them have arrived', () => {
    const again = ids.map((id) => cardAt(id, 200))
    let staged = advance(drawn, { nodes: moved, edges }, two)
    while (!staged.isWhole) staged = advance(staged, { nodes: again, edges }, two)
    expect(staged.nodes).toBe(again)
  })

  it('moves what the person selected or drags at once, and notes and frames', () => {
    const special = [
      cardAt('agent', 100),
      cardAt('a', 100),
      cardAt('b', 100, { selected: true }),
      cardAt('c', 100, { dragging: true }),
      {
        id: 'note:n',
        type: 'note',
        position: { x: 100, y: 0 },
        data: { note: { id: 'n', at: [0, 0], text: '' } },
      },
    ] as FlowNode[] // cast: a note has more fields than this test needs
    const before = special.map((each) => ({ ...each, position: { x: 0, y: 0 } }))
    const staged = advance({ nodes: before, edges }, { nodes: special, edges }, { nodes: 1, edges: 1 })
    expect(placesOf(staged.nodes)).toEqual([100, 0, 100, 100, 100])
  })

  it('selects and deselects cards and wires at once', () => {
    const chosen = {
      nodes: nodes.map((each) => ({ ...each, selected: true })),
      edges: edges.map((each) => ({ ...each, selected: true })),
    }
    expect(advance(drawn, chosen, two).isWhole).toBe(true)
    expect(advance(chosen, drawn, two).isWhole).toBe(true)
  })

  it('selects and deselects hundreds of cards and wires a number at a time', () => {
    const many = Array.from({ length: 400 }, (_, n) => cardAt(`c${n}`, 0))
    const wires = many.slice(1).map(({ id }) => wire(id, 'c0'))
    const all = {
      nodes: many.map((each) => ({ ...each, selected: true })),
      edges: wires.map((each) => ({ ...each, selected: true })),
    }
    for (const [from, to] of [
      [{ nodes: many, edges: wires }, all],
      [all, { nodes: many, edges: wires }],
    ] as const) {
      const frames = framesTo(from, to, { nodes: 40, edges: 80 })
      expect(frames.map((each) => each.changed)).toEqual([...Array(10).fill(40), ...Array(4).fill(80), 79])
      expect(frames.every((each) => each.isPlaced)).toBe(true)
    }
  })

  it('takes away deleted cards and wires at once', () => {
    const left = { nodes: moved.slice(0, 1), edges: [] }
    const staged = advance(drawn, left, two)
    expect(staged.nodes).toBe(left.nodes)
    expect(staged.edges).toBe(left.edges)
  })

  it('keeps the lists that do not change', () => {
    for (const goal of [drawn, { nodes: [...nodes], edges: [...edges] }]) {
      const staged = advance(drawn, goal, two)
      expect(staged.nodes).toBe(nodes)
      expect(staged.edges).toBe(edges)
      expect(staged.isWhole).toBe(true)
    }
  })
})

describe('the view of a large drawing moves', () => {
  const handles = [{ type: 'source', position: 'right', x: 0, y: 0 }] as FlowNode['handles'] // cast: one of the library's enums
  const row = Array.from({ length: 100 }, (_, n) =>
    cardAt(`c${n}`, n * 200, { handles, measured: { width: 200, height: 50 } }),
  )
  const around = (x: number) => ({ box: { x, y: 0, width: 2_000, height: 100 }, most: 'whole' as const })
  const isBare = (node: FlowNode) => node.type === 'card' && node.data.face === 'bare'
  const seenAt = (x: number) => drawnFor({ nodes: row, edges: [] }, around(x))

  it('gives the cards that come into sight their words before it takes those of the others', () => {
    const [from, to] = [seenAt(0), seenAt(10_000)]
    const half = advance(from, to, { nodes: 11, edges: 11 })
    const [before, after] = [from, half].map(({ nodes }) => nodes.filter((each) => !isBare(each)).length)
    expect([before, after]).toEqual([11, 22])
    expect(half.isPlaced).toBe(true)
    expect(half.isWhole).toBe(false)
  })

  it('changes no more cards in a frame than in any other change, even when all of them are selected', () => {
    const all = row.map((each) => ({ ...each, selected: true }))
    const [from, to] = [everything, around(4_000)].map((seen) => drawnFor({ nodes: all, edges: [] }, seen))
    const frames = framesTo(from ?? nothing, to ?? nothing, { nodes: 4, edges: 4 })
    expect(frames.map((each) => each.changed)).toEqual([4, 4, 4])
  })

  it('moves a bare card in its turn', () => {
    const [from, seen] = [drawnFor({ nodes: row, edges: [] }, everything), everything]
    const moved = drawnFor(
      { nodes: row.map((each) => ({ ...each, position: { x: 7, y: 7 } })), edges: [] },
      seen,
    )
    const frames = framesTo(from, moved, { nodes: 50, edges: 50 })
    expect(frames).toEqual([
      { changed: 50, isPlaced: false },
      { changed: 50, isPlaced: true },
    ])
  })
})
