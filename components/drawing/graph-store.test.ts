import { beforeEach, describe, expect, it, vi } from 'vitest'
import { catalog } from '#lib/graph/catalog.fixture'
import { addNode, connect, patchConfig, setParked } from '#lib/graph/edit'
import { layout } from '#lib/graph/layout'
import { arrange, measuredSizes } from './arrange'
import { createGraphStore, type GraphStore } from './graph-store'
import { addPart, deleteSelection, duplicateSelection, moveTo } from './part'
import { starterGraph } from './starter'
import { startWiring, wireInto, wireRefusal } from './wiring'

const begin = () => createGraphStore({ graph: starterGraph(catalog, new Set()), catalog })
const kinds = (store: GraphStore) => store.getState().history.present.nodes.map((each) => each.kind)

describe('the drawing on screen', () => {
  beforeEach(() => void vi.useRealTimers())

  it('undoes and redoes an edit, and lets the selection go with what it chose', () => {
    const store = begin()
    addPart({ store, part: { kind: 'policy:steps' } })
    expect(kinds(store)).toEqual(['agent', 'model', 'policy:steps'])
    expect(store.getState().selection.nodes).toHaveLength(1)
    store.getState().undo()
    expect(kinds(store)).toEqual(['agent', 'model'])
    expect(store.getState().selection.nodes).toEqual([])
    store.getState().redo()
    expect(kinds(store)).toEqual(['agent', 'model', 'policy:steps'])
  })

  it('keeps the card of a node that an edit did not touch', () => {
    const store = begin()
    const before = store.getState().nodes
    const [agent] = store.getState().history.present.nodes
    store.getState().edit((graph) => patchConfig(graph, agent?.id ?? '', { title: 'Other' }, catalog))
    const after = store.getState().nodes
    expect(after[0]).not.toBe(before[0])
    expect(after[1]).toBe(before[1])
  })

  it('compiles a moment after the edit, and tells findings by node', async () => {
    vi.useFakeTimers()
    const store = begin()
    const [agent] = store.getState().history.present.nodes
    store.getState().edit((graph) => patchConfig(graph, agent?.id ?? '', { name: 'Not A Name' }, catalog))
    expect(store.getState().compiled.config).not.toBeNull()
    await vi.advanceTimersByTimeAsync(100)
    expect(store.getState().compiled.config).toBeNull()
    expect(store.getState().findings.get(agent?.id ?? '')?.[0]?.severity).toBe('error')
  })

  it('tells what only the server found beside its own findings, until it finds nothing', () => {
    const store = begin()
    const [agent] = store.getState().history.present.nodes
    const node = agent?.id ?? ''
    const own = store.getState().findings.get(node)
    store.getState().hear([{ severity: 'error', code: 'invalid_value', message: 'No pattern.', node }])
    expect(store.getState().findings.get(node)).toHaveLength((own?.length ?? 0) + 1)
    store.getState().hear([])
    expect(store.getState().findings.get(node)).toEqual(own)
  })

  it('follows the paths of a run while one is shown', () => {
    const store = begin()
    const [agent] = store.getState().history.present.nodes
    store.getState().follow({ agent: 'of-the-run' })
    expect([...store.getState().paths]).toEqual([['of-the-run', 'agent']])
    store.getState().follow(undefined)
    expect(store.getState().paths.get(agent?.id ?? '')).toBe('agent')
  })

  it('shows what an edit did besides at the pointer', () => {
    const store = begin()
    const [agent] = store.getState().history.present.nodes
    store.getState().point({ x: 3, y: 4 })
    store.getState().edit((graph) => setParked(graph, [agent?.id ?? ''], true, catalog))
    expect(store.getState().remark).toMatchObject({ x: 3, y: 4, text: expect.stringContaining('agent') })
  })
})

describe('where things stand', () => {
  it('is saved for all once a person places one', () => {
    const store = begin()
    const [agent] = store.getState().nodes
    expect(store.getState().history.present.nodes.every((each) => each.at === undefined)).toBe(true)
    store.getState().changeNodes([{ type: 'position', id: agent?.id ?? '', position: { x: 320, y: 48 } }])
    const { edit, nodes } = store.getState()
    edit((graph) => moveTo(graph, nodes, new Set([agent?.id ?? ''])))
    const placed = store.getState().history.present.nodes
    expect(placed[0]?.at).toEqual({ x: 320, y: 48 })
    expect(placed.every((each) => each.at !== undefined)).toBe(true)
  })

  it('is nobody else’s place for a part that is added', () => {
    const store = begin()
    for (let n = 0; n < 6; n++)
      addPart({ store, part: { kind: 'tool:builtin', config: { tools: ['time.now'] } } })
    const places = store.getState().nodes.map((each) => `${each.position.x} ${each.position.y}`)
    expect(new Set(places).size).toBe(places.length)
  })

  it('is one entry of the history when all is tidied', () => {
    const store = begin()
    addPart({ store, part: { note: true } })
    const { history } = store.getState()
    arrange(store, layout(history.present, catalog, measuredSizes(store)))
    const tidied = store.getState().history.past.length
    store.getState().undo()
    expect(store.getState().history.past).toHaveLength(tidied - 1)
  })
})

describe('several at once', () => {
  it('are duplicated and deleted in one entry each', () => {
    const store = begin()
    addPart({ store, part: { kind: 'policy:steps' } })
    addPart({ store, part: { note: true } })
    const { nodes, notes } = store.getState().history.present
    store
      .getState()
      .select({ nodes: nodes.slice(2).map((each) => each.id), notes: notes.map((each) => each.id) })
    duplicateSelection(store)
    expect(store.getState().history.present.notes).toHaveLength(2)
    expect(kinds(store)).toEqual(['agent', 'model', 'policy:steps', 'policy:steps'])
    deleteSelection(store)
    expect(store.getState().history.present.notes).toHaveLength(1)
    expect(kinds(store)).toEqual(['agent', 'model', 'policy:steps'])
  })
})

describe('drawing a wire', () => {
  it('knows every port it could end in, and why another refuses it', () => {
    const store = begin()
    store
      .getState()
      .edit((graph) => addNode(graph, { kind: 'tool:builtin', config: { tools: ['time.now'] } }, catalog))
    const graph = store.getState().history.present
    const [agent, model, entry] = graph.nodes.map((each) => each.id)
    if (agent === undefined || model === undefined || entry === undefined) throw new Error('three nodes')
    const wiring = startWiring({ graph, catalog, from: { node: entry, port: 'tool' }, end: 'source' })
    expect([...wiring.ports]).toEqual([`${agent}:tools`])
    expect(wireRefusal({ graph, catalog, wiring, node: model })).not.toBe('')
    const wire = wireInto(wiring, agent)
    if (wire === undefined) throw new Error('the agent takes it')
    store.getState().edit((drawn) => connect(drawn, wire.from, wire.to, catalog))
    expect(store.getState().facts.get(entry)?.filled).toBe('tool')
    expect(wireInto(wiring, model)).toBeUndefined()
  })
})
