import { describe, expect, test } from 'vitest'
import { catalog } from '#lib/graph/catalog.fixture'
import { layout } from '#lib/graph/layout'
import { emptyGraph } from '#lib/spec/graph'
import { boxOf } from './boxes'
import { createGraphStore, type GraphStore } from './graph-store'
import { addPart, addToolRule, duplicateSelection } from './part'
import { starterGraph } from './starter'

const tool = { kind: 'tool:builtin', config: { tools: ['time.now'] } }

function begin(known = catalog): { store: GraphStore; agent: string; model: string } {
  const store = createGraphStore({ graph: starterGraph(known, new Set()), catalog: known })
  const [agent, model] = store.getState().history.present.nodes
  if (agent === undefined || model === undefined) throw new Error('an agent with its model')
  return { store, agent: agent.id, model: model.id }
}

const edgesOf = (store: GraphStore) => store.getState().history.present.edges
const wiresFrom = (store: GraphStore, id: string | undefined) =>
  edgesOf(store).filter(({ from }) => from.node === id)

/** Whether any two cards overlap. */
function isCrowded(store: GraphStore): boolean {
  const boxes = store.getState().nodes.map(boxOf)
  return boxes.some((a, index) =>
    boxes
      .slice(index + 1)
      .some(
        (b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height,
      ),
  )
}

describe('a part that is added', () => {
  test.each([
    ['without a place', () => ({})],
    ['on empty canvas', () => ({ at: { x: -900, y: 900 } })],
    ['on the agent’s card', ({ agent }: { agent: string }) => ({ at: { x: 0, y: 0 }, onto: agent })],
    [
      'on a card that it cannot be wired to',
      ({ model }: { model: string }) => ({ at: { x: 0, y: 0 }, onto: model }),
    ],
  ])('%s is wired to the agent, in a free place, and goes with one undo', (_, how) => {
    const { store, agent, model } = begin()
    const before = store.getState().history.present
    const id = addPart({ store, part: tool, ...how({ agent, model }) })
    expect(wiresFrom(store, id)).toEqual([
      { from: { node: id, port: 'tool' }, to: { node: agent, port: 'tools' } },
    ])
    expect(isCrowded(store)).toBe(false)
    store.getState().undo()
    expect(store.getState().history.present).toBe(before)
  })

  test('stays where it was dropped when that place is free', () => {
    const { store } = begin()
    const id = addPart({ store, part: tool, at: { x: -896, y: 896 } })
    expect(store.getState().nodes.find((each) => each.id === id)?.position).toEqual({ x: -896, y: 896 })
  })

  test('does not replace the wire of another part by itself', () => {
    const { store, model } = begin()
    const id = addPart({ store, part: { kind: 'model' } })
    expect(wiresFrom(store, id)).toEqual([])
    expect(wiresFrom(store, model)).toHaveLength(1)
  })

  test('replaces the wire of another part when it is dropped on the agent', () => {
    const { store, agent, model } = begin()
    const id = addPart({ store, part: { kind: 'model' }, onto: agent, at: { x: 0, y: 0 } })
    expect(wiresFrom(store, id)).toHaveLength(1)
    expect(wiresFrom(store, model)).toEqual([])
  })

  test('needs no agent', () => {
    const store = createGraphStore({ graph: emptyGraph, catalog })
    expect(addPart({ store, part: tool, at: { x: 5, y: 5 } })).toBeDefined()
    expect(edgesOf(store)).toEqual([])
  })
})

test('a rule on a tool is in one row with the policies of the layout, or exactly beside its tool', () => {
  const { store, agent } = begin()
  const entry = addPart({ store, part: tool }) ?? ''
  const topOf = (id: string | undefined) => store.getState().nodes.find((each) => each.id === id)?.position.y
  addToolRule(store, { rule: 'never', entry })
  addToolRule(store, { rule: 'calls', entry })
  const [never, calls] = store.getState().history.present.nodes.slice(-2)
  const laid = layout(store.getState().history.present, catalog)
  const aboveOf = (id: string) => (laid.get(id)?.y ?? Number.NaN) - (laid.get(agent)?.y ?? Number.NaN)
  expect(topOf(never?.id)).toBe((topOf(agent) ?? Number.NaN) + aboveOf(never?.id ?? ''))
  expect(topOf(calls?.id)).toBe(topOf(entry))
})

test('a duplicate takes the next free place', () => {
  const { store } = begin()
  const id = addPart({ store, part: tool })
  store.getState().select({ nodes: id === undefined ? [] : [id] })
  duplicateSelection(store)
  duplicateSelection(store)
  expect(store.getState().nodes).toHaveLength(5)
  expect(isCrowded(store)).toBe(false)
})
