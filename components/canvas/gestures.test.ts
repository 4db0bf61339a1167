/**
 * Canvas interactions without a page: dragging, alignment lines, frames that take their contents along, the
 * clipboard, menus.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arrange } from '#components/drawing/arrange'
import { beginDrag, type DragStep, dragChanges } from '#components/drawing/drag'
import { createGraphStore, type GraphStore } from '#components/drawing/graph-store'
import { align, alignLines } from '#components/drawing/guides'
import { addPart, deleteSelection, duplicateSelection, moveTo } from '#components/drawing/part'
import { starterGraph } from '#components/drawing/starter'
import { paletteSections } from '#components/palette/palette-items'
import { catalog } from '#lib/graph/catalog.fixture'
import { addFrame, addNote, moveNodes } from '#lib/graph/edit'
import type { GraphDocument } from '#lib/spec/graph'
import { partsFor } from './canvas-picker'
import { copySelection, cutSelection, pasteText, readClip } from './clipboard'
import { frameSelection, hasChosen, nodesInFrame, nudge, selectAll, toggleSelection } from './selection-edits'

/** An agent at (0, 0) with its model in a frame, and a note outside. */
function begin(): GraphStore {
  const starter = starterGraph(catalog, new Set())
  const [agent, model] = starter.nodes
  if (agent === undefined || model === undefined) throw new Error('the starter holds two')
  let graph: GraphDocument = moveNodes(starter, [
    { id: agent.id, at: { x: 400, y: 0 } },
    { id: model.id, at: { x: 32, y: 48 } },
  ]).graph
  graph = addFrame(graph, { id: 'f', title: 'Model', at: [0, 0], size: [300, 200] }).graph
  graph = addNote(graph, { id: 'n', text: 'beside', at: [0, 400] }).graph
  return createGraphStore({ graph, catalog })
}

const graphOf = (store: GraphStore) => store.getState().history.present
const modelOf = (store: GraphStore) => graphOf(store).nodes.find((each) => each.kind === 'model')?.id ?? ''
const entries = (store: GraphStore) => store.getState().history.past.length

function step(id: string, x: number, y: number, dragging = true): DragStep {
  return { id, type: 'position', position: { x, y }, dragging }
}

describe('a drag', () => {
  test('of a frame takes along what stood in it when it was grasped, and nothing else', () => {
    const store = begin()
    const drag = beginDrag(store.getState().nodes, new Set(['frame:f']))
    const { changes } = dragChanges(drag, [step('frame:f', 100, 50)], undefined)
    expect(changes.map(({ id, position }) => [id, position])).toEqual([
      ['frame:f', { x: 100, y: 50 }],
      [modelOf(store), { x: 132, y: 98 }],
    ])
  })

  test('rests as one entry, and one undo brings all of it back', () => {
    const store = begin()
    const before = graphOf(store)
    const drag = beginDrag(store.getState().nodes, new Set(['frame:f']))
    const { changes } = dragChanges(drag, [step('frame:f', 64, 64, false)], undefined)
    store.getState().changeNodes(changes)
    const ids = new Set(changes.map((each) => each.id))
    store.getState().edit((graph) => moveTo(graph, store.getState().nodes, ids))
    expect(graphOf(store).look.frames[0]?.at).toEqual([64, 64])
    expect(graphOf(store).nodes.find((each) => each.id === modelOf(store))?.at).toEqual({ x: 96, y: 112 })
    expect(entries(store)).toBe(1)
    store.getState().undo()
    expect(graphOf(store)).toBe(before)
  })

  test('is pulled onto the nearest line within reach, and not beyond', () => {
    const lines = alignLines([{ x: 100, y: 100, width: 200, height: 50 }])
    const near = align({ x: 104, y: 300, width: 200, height: 50 }, lines, 8)
    expect(near.by).toEqual({ x: -4, y: 0 })
    expect(near.guides).toEqual([{ axis: 'x', at: 100, from: 100, to: 350 }])
    expect(align({ x: 120, y: 300, width: 40, height: 50 }, lines, 8)).toEqual({
      by: { x: 0, y: 0 },
      guides: [],
    })
  })

  test('never goes further than the reach', () => {
    const box = fc.record({
      x: fc.integer({ min: -500, max: 500 }),
      y: fc.integer({ min: -500, max: 500 }),
      width: fc.integer({ min: 1, max: 300 }),
      height: fc.integer({ min: 1, max: 300 }),
    })
    fc.assert(
      fc.property(box, fc.array(box, { maxLength: 12 }), (moved, others) => {
        const { by } = align(moved, alignLines(others), 8)
        expect(Math.max(Math.abs(by.x), Math.abs(by.y))).toBeLessThanOrEqual(8)
      }),
    )
  })
})

describe('what is chosen', () => {
  test('is framed, and the frame holds it', () => {
    const store = begin()
    const model = modelOf(store)
    store.getState().select({ nodes: [model] })
    const id = frameSelection(store)
    expect(id).toBeDefined()
    expect(nodesInFrame(store.getState(), id?.slice('frame:'.length) ?? '')).toEqual([model])
    expect(entries(store)).toBe(1)
  })

  test('moves by steps, and a row of presses is one entry', () => {
    const store = begin()
    store.getState().select({ frames: ['f'] })
    nudge(store, { x: 16, y: 0 })
    nudge(store, { x: 16, y: 0 })
    expect(graphOf(store).look.frames[0]?.at).toEqual([32, 0])
    expect(graphOf(store).nodes.find((each) => each.id === modelOf(store))?.at).toEqual({ x: 64, y: 48 })
    expect(entries(store)).toBe(1)
  })

  test('goes and comes back by undo with its wires; a frame goes alone', () => {
    const store = begin()
    const before = graphOf(store)
    selectAll(store)
    deleteSelection(store)
    expect(graphOf(store)).toMatchObject({ nodes: [], edges: [], notes: [], look: { frames: [] } })
    expect(hasChosen(store.getState())).toBe(false)
    store.getState().undo()
    expect(graphOf(store)).toBe(before)
    store.getState().select({ frames: ['f'] })
    deleteSelection(store)
    expect(graphOf(store).nodes).toBe(before.nodes)
  })

  test('is switched off and on as one; the agent stays on and says so', () => {
    const store = begin()
    selectAll(store)
    toggleSelection(store)
    expect(graphOf(store).parked).toEqual([modelOf(store)])
    toggleSelection(store)
    expect(graphOf(store).parked).toEqual([])
    store.getState().select({ nodes: [graphOf(store).nodes[0]?.id ?? ''] })
    toggleSelection(store)
    expect(store.getState().remark?.text).toBe('The agent itself cannot be switched off.')
  })

  test('is doubled with fresh ids, and the doubles are chosen', () => {
    const store = begin()
    store.getState().select({ nodes: [modelOf(store)], notes: ['n'], frames: ['f'] })
    duplicateSelection(store)
    const { selection } = store.getState()
    expect([selection.nodes.length, selection.notes.length, selection.frames.length]).toEqual([1, 1, 1])
    const { nodes, notes, look } = graphOf(store)
    const ids = [...nodes, ...notes, ...look.frames].map((each) => each.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(entries(store)).toBe(1)
  })

  test('is laid out with its frame, as one entry', () => {
    const store = begin()
    const model = modelOf(store)
    arrange(store, new Map([[model, { x: 1_000, y: 1_000 }]]))
    expect(nodesInFrame(store.getState(), 'f')).toEqual([model])
    expect(entries(store)).toBe(1)
  })
})

describe('the clipboard', () => {
  test('brings back what was cut, round the pointer, wired as it was', () => {
    const store = begin()
    const wires = graphOf(store).edges.length
    store.getState().select({ nodes: [modelOf(store)] })
    const text = cutSelection(store) ?? ''
    expect(graphOf(store).edges).toHaveLength(wires - 1)
    pasteText(store, text, { x: 500, y: 500 })
    expect(graphOf(store).edges).toHaveLength(wires)
    expect(graphOf(store).nodes.find((each) => each.kind === 'model')?.at).toEqual({ x: 400, y: 480 })
    expect(entries(store)).toBe(2)
  })

  test('holds nothing when nothing is chosen', () => {
    expect(copySelection(begin())).toBeUndefined()
  })

  test.each([
    ['', 'The clipboard holds no text, so there is nothing to paste here.'],
    ['hello', 'The clipboard holds text, not parts. Paste it into a note or a field.'],
    ['[1]', 'The clipboard holds JSON, but no parts of a drawing.'],
    ['{"name":"a","tools":[]}', 'That is the JSON of a whole agent. Import it on the Agents page.'],
    ['{"use":"steps"}', 'That is the JSON of one part. Add the part, then set its fields in the inspector.'],
    ['{"loopwright":"clip"}', 'These parts were copied by another version and cannot be read here.'],
  ])('says what it was instead: %s', (text, said) => {
    expect(readClip(text)).toEqual({ not: said })
    const store = begin()
    const before = graphOf(store)
    pasteText(store, text, { x: 0, y: 0 })
    expect(graphOf(store)).toBe(before)
    expect(store.getState().remark?.text).toBe(said)
  })
})

describe('the list at a point', () => {
  const all = paletteSections(catalog)
  const kinds = (parts: ReturnType<typeof partsFor>) =>
    parts.flatMap(({ items }) => items.flatMap(({ part }) => ('kind' in part ? [part.kind] : [])))

  test('offers only what fits the wire that was dropped', () => {
    const store = begin()
    const agent = graphOf(store).nodes[0]?.id ?? ''
    const from = { node: agent, port: 'model', end: 'target' } as const
    expect(new Set(kinds(partsFor({ from }, all, { graph: graphOf(store), catalog })))).toEqual(
      new Set(['model']),
    )
  })

  test('offers no second agent', () => {
    expect(kinds(partsFor({}, all, { graph: graphOf(begin()), catalog }))).not.toContain('agent')
    expect(kinds(all)).toContain('agent')
  })

  test('puts what is picked at the loose end, wired, as one entry', () => {
    const store = begin()
    const agent = graphOf(store).nodes[0]?.id ?? ''
    const id = addPart({
      store,
      part: { kind: 'tool:http' },
      at: { x: 96, y: 96 },
      from: { node: agent, port: 'tools', end: 'target' },
    })
    expect(graphOf(store).edges.at(-1)).toEqual({
      from: { node: id, port: 'tool' },
      to: { node: agent, port: 'tools' },
    })
    expect(entries(store)).toBe(1)
  })
})
