/** Frames: add, change, move, remove and copy; what is inside a frame, and what never depends on one. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type GraphDocument, graphDocument } from '#lib/spec/graph'
import { canonicalForHash } from './canonical'
import { catalog } from './catalog.fixture'
import { compile } from './compile'
import {
  addFrame,
  boxesInFrame,
  boxRound,
  clip,
  copyNodes,
  type Edited,
  hull,
  moveNodes,
  paste,
  remove,
  setFrame,
} from './edit'
import { graphArb } from './graphs.fixture'
import { normalize } from './normalize'

const start: GraphDocument = {
  version: 1,
  nodes: [{ id: 'a', kind: 'agent', config: { name: 'a' }, at: { x: 0, y: 0 } }],
  edges: [],
  notes: [{ id: 'n', text: 'x', at: [10, 10] }],
  parked: [],
  look: { frames: [{ id: 'f', title: 'Tools', at: [0, 0], size: [200, 100] }] },
}

describe('a frame', () => {
  test('is drawn under an id of its own, on whole numbers', () => {
    const { graph, added } = addFrame(start, { title: 'More', at: [1.6, 2.2], size: [99.7, 50] })
    expect(graph.look.frames[1]).toEqual({ id: added[0], title: 'More', at: [2, 2], size: [100, 50] })
    expect(new Set(['a', 'n', 'f', added[0]]).size).toBe(4)
    expect(graph.nodes).toBe(start.nodes)
  })

  test('beyond the hundredth is refused in words', () => {
    const frames = Array.from({ length: 100 }, (_, at) => ({
      id: `f${at}`,
      title: '',
      at: [0, 0] as [number, number], // cast: a pair
      size: [1, 1] as [number, number], // cast: a pair
    }))
    const full = { ...start, look: { frames } }
    const { graph, notes } = addFrame(full, { title: '', at: [0, 0], size: [1, 1] })
    expect(graph).toBe(full)
    expect(notes).toEqual(['A drawing holds at most 100 frames.'])
  })

  test('takes a title and a size, and is the same when nothing is new', () => {
    const titled = setFrame(start, 'f', { title: 'Reading' }).graph
    expect(titled.look.frames[0]).toEqual({ id: 'f', title: 'Reading', at: [0, 0], size: [200, 100] })
    expect(setFrame(titled, 'f', { title: 'Reading', size: [200, 100] }).graph).toBe(titled)
    expect(setFrame(start, 'gone', { title: 'x' }).graph).toBe(start)
  })

  test('is moved by its name, and goes without what stands in it', () => {
    const moved = moveNodes(start, [{ id: 'f', at: { x: 8, y: 16.4 } }]).graph
    expect(moved.look.frames[0]?.at).toEqual([8, 16])
    expect(moved.notes).toBe(start.notes)
    const left = remove(moved, { frames: ['f'] }, catalog).graph
    expect(left.look.frames).toEqual([])
    expect(left.nodes).toBe(moved.nodes)
    expect(left.notes).toBe(moved.notes)
  })

  test('goes over the clipboard with what was copied', () => {
    const content = clip.parse(JSON.parse(JSON.stringify(copyNodes(start, ['f', 'n']))))
    const { graph, added } = paste(start, content, { x: 5, y: 5 }, catalog)
    expect(graph.look.frames.at(-1)).toMatchObject({ title: 'Tools', at: [5, 5], size: [200, 100] })
    expect(added).toEqual([graph.notes.at(-1)?.id, graph.look.frames.at(-1)?.id])
  })
})

describe('what a frame is drawn round', () => {
  const box = fc.record({
    x: fc.integer({ min: -2_000, max: 2_000 }),
    y: fc.integer({ min: -2_000, max: 2_000 }),
    width: fc.integer({ min: 1, max: 400 }),
    height: fc.integer({ min: 1, max: 400 }),
  })

  test('stands in it, whatever it is', () => {
    fc.assert(
      fc.property(fc.array(box, { minLength: 1, maxLength: 20 }), (boxes) => {
        const frame = boxRound(boxes)
        if (frame === undefined) throw new Error('boxes have a frame')
        expect(boxesInFrame(frame, boxes)).toEqual(boxes)
        expect(boxesInFrame(frame, [frame])).toEqual([])
      }),
    )
  })

  test('is nothing where nothing is', () => {
    expect(boxRound([])).toBeUndefined()
    expect(hull([])).toBeUndefined()
  })
})

/** The bytes that the config's hash is computed from. */
function hashedOf(graph: GraphDocument): string | null {
  const { config } = compile(graph, catalog)
  return config === null ? null : canonicalForHash(config, catalog.schema)
}

test('law 8: no edit of a frame changes what the agent is, and each leaves what it was given alone', () => {
  const doing = fc.record({
    which: fc.nat(4),
    title: fc.string({ maxLength: 20 }),
    x: fc.integer({ min: -500, max: 500 }),
    y: fc.integer({ min: -500, max: 500 }),
  })
  fc.assert(
    fc.property(graphArb, fc.array(doing, { minLength: 1, maxLength: 5 }), (given, steps) => {
      // Normalised first, as after any edit: when two entries offer the same tool, that alone may reorder a
      // scope.
      let { graph } = normalize(given, catalog)
      const hash = hashedOf(graph)
      for (const { which, title, x, y } of steps) {
        const before = structuredClone(graph)
        const id = graph.look.frames.at(-1)?.id ?? 'none'
        const edits: (() => Edited)[] = [
          () => addFrame(graph, { title, at: [x, y], size: [100, 100] }),
          () => setFrame(graph, id, { title, at: [x, y] }),
          () => moveNodes(graph, [{ id, at: { x, y } }]),
          () => remove(graph, { frames: [id] }, catalog),
          () => paste(graph, copyNodes(graph, [id]), { x, y }, catalog),
        ]
        const next = edits[which]?.().graph ?? graph
        // Undo returns the earlier graph, so no edit may change it.
        expect(graph).toEqual(before)
        graph = next
      }
      expect(graphDocument.safeParse(graph).success).toBe(true)
      const ids = [...graph.nodes, ...graph.notes, ...graph.look.frames].map((each) => each.id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(hashedOf(graph)).toBe(hash)
    }),
    { numRuns: 40 },
  )
}, 20_000)
