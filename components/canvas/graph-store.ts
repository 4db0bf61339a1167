/** The drawing as the screen holds it: the document with its history, what it compiles to, and what the canvas draws of it. */
import {
  applyEdgeChanges,
  applyNodeChanges,
  type EdgeChange,
  type NodeChange,
  type XYPosition,
} from '@xyflow/react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { type Compiled, compile } from '#lib/graph/compile'
import type { Edited } from '#lib/graph/edit'
import { layout } from '#lib/graph/layout'
import type { Catalog } from '#lib/spec/catalog'
import type { Diagnostic } from '#lib/spec/errors'
import type { GraphDocument } from '#lib/spec/graph'
import { findingsOf, pathsOf } from './compiled'
import { type FlowEdge, type FlowNode, flowEdges, flowNodes, intoAgent, wiredNodes, wiredPorts } from './flow'
import { begin, type History, record, redo, undo } from './history'
import type { Wiring } from './wiring'

export type Edit = (graph: GraphDocument, catalog: Catalog) => Edited

export interface Selection {
  readonly nodes: readonly string[]
  readonly notes: readonly string[]
  readonly edges: readonly string[]
}

/** One line at the pointer: why a drop was refused, or what an edit did besides. */
export interface Remark extends XYPosition {
  readonly text: string
}

export interface GraphState {
  readonly catalog: Catalog
  readonly isReadOnly: boolean
  readonly history: History<GraphDocument>
  readonly nodes: FlowNode[]
  readonly edges: FlowEdge[]
  readonly wired: ReadonlySet<string>
  /** Nodes with at least one wire. */
  readonly wiredNodes: ReadonlySet<string>
  /** Policies wired to the agent itself. */
  readonly coversAgent: ReadonlySet<string>
  readonly off: ReadonlySet<string>
  readonly selection: Selection
  readonly compiled: Compiled
  /** Node id → entry path. */
  readonly paths: ReadonlyMap<string, string>
  readonly findings: ReadonlyMap<string, readonly Diagnostic[]>
  readonly wiring: Wiring | null
  readonly remark: Remark | null
  /** Where new nodes stand and remarks appear, in screen pixels. */
  readonly pointer: XYPosition

  /** Applies an edit as one entry of the history; edits of one gesture are one entry. True when something changed. */
  edit(change: Edit, gesture?: string): boolean
  undo(): void
  redo(): void
  /** Another document takes the place of this one; its history begins anew. */
  load(graph: GraphDocument): void
  select(selection: Partial<Selection>): void
  changeNodes(changes: NodeChange<FlowNode>[]): void
  changeEdges(changes: EdgeChange<FlowEdge>[]): void
  setWiring(wiring: Wiring | null): void
  /** While a run is shown its own entry paths find the cards; undefined goes back to those of the drawing. */
  follow(origins: Readonly<Record<string, string>> | undefined): void
  say(text: string | null, at?: XYPosition): void
  point(at: XYPosition): void
}

export type GraphStore = StoreApi<GraphState>

export interface GraphStoreOptions {
  readonly graph: GraphDocument
  readonly catalog: Catalog
  readonly isReadOnly?: boolean
  /** Of a stored run: its own entry paths, which then stand instead of those compiled here. */
  readonly origins?: Readonly<Record<string, string>>
}

const nothing: Selection = { nodes: [], notes: [], edges: [] }
const compileDelay = 60

export function createGraphStore({
  graph,
  catalog,
  isReadOnly = false,
  origins,
}: GraphStoreOptions): GraphStore {
  return createStore<GraphState>((set, get) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let followed = origins

    const show = (history: History<GraphDocument>, previous?: Pick<GraphState, 'nodes' | 'edges'>) => {
      const shown = history.present
      const input = { graph: shown, catalog, places: placesOf(shown, catalog, previous?.nodes ?? []) }
      return {
        history,
        nodes: flowNodes(previous?.nodes ?? [], input),
        edges: flowEdges(previous?.edges ?? [], input),
        wired: wiredPorts(shown),
        wiredNodes: wiredNodes(shown),
        coversAgent: intoAgent(shown, catalog),
        off: new Set(shown.parked),
      }
    }
    const told = (result: Compiled) => ({
      compiled: result,
      paths: pathsOf(followed ?? result.origins),
      findings: findingsOf(result.diagnostics, get()?.findings),
    })
    // A keystroke must not wait for the compiler: it follows when the hand rests for a moment.
    const compileSoon = () => {
      clearTimeout(timer)
      timer = setTimeout(() => set(told(compile(get().history.present, catalog))), compileDelay)
    }
    const turn = (history: History<GraphDocument>) => {
      const state = get()
      if (history.present === state.history.present) return false
      set({ ...show(history, state), selection: standing(state.selection, history.present) })
      compileSoon()
      return true
    }

    const history = begin(graph)
    return {
      catalog,
      isReadOnly,
      ...show(history),
      ...told(compile(graph, catalog)),
      selection: nothing,
      wiring: null,
      remark: null,
      pointer: { x: 0, y: 0 },

      edit(change, gesture) {
        const { history } = get()
        const { graph: next, notes } = change(history.present, catalog)
        const changed = turn(record(history, next, gesture ?? null, Date.now()))
        if (notes.length > 0) get().say(notes.join(' '))
        return changed
      },
      undo: () => void turn(undo(get().history)),
      redo: () => void turn(redo(get().history)),
      load(next) {
        const started = begin(next)
        set({
          ...show(started, get()),
          ...told(compile(next, catalog)),
          selection: standing(get().selection, next),
        })
      },
      select(selection) {
        const chosen = { ...nothing, ...selection }
        const ids = new Set([...chosen.nodes, ...chosen.notes.map((each) => `note:${each}`)])
        const wires = new Set(chosen.edges)
        set(({ nodes, edges }) => ({
          selection: chosen,
          nodes: nodes.map((each) => marked(each, ids.has(each.id))),
          edges: edges.map((each) => marked(each, wires.has(each.id))),
        }))
      },
      changeNodes(changes) {
        const nodes = applyNodeChanges(changes, get().nodes)
        set({
          nodes,
          ...(changes.some((each) => each.type === 'select')
            ? { selection: { ...get().selection, ...selectedNodes(nodes) } }
            : {}),
        })
      },
      changeEdges(changes) {
        const edges = applyEdgeChanges(changes, get().edges)
        set({
          edges,
          selection: {
            ...get().selection,
            edges: edges.filter((each) => each.selected).map((each) => each.id),
          },
        })
      },
      setWiring: (wiring) => set({ wiring }),
      follow(next) {
        followed = next
        set({ paths: pathsOf(followed ?? get().compiled.origins) })
      },
      say: (text, at) => set({ remark: text === null ? null : { text, ...(at ?? get().pointer) } }),
      point: (pointer) => set({ pointer }),
    }
  })
}

/** Places for the nodes that have none: where they stood before, else as laid out. */
function placesOf(
  graph: GraphDocument,
  catalog: Catalog,
  previous: readonly FlowNode[],
): Map<string, XYPosition> {
  const places = new Map<string, XYPosition>()
  const homeless = graph.nodes.filter((each) => each.at === undefined)
  if (homeless.length === 0) return places
  const stood = new Map(previous.map((each) => [each.id, each.position]))
  const laid = homeless.every((each) => stood.has(each.id)) ? stood : layout(graph, catalog)
  for (const { id } of homeless) {
    const place = stood.get(id) ?? laid.get(id)
    if (place !== undefined) places.set(id, place)
  }
  return places
}

function marked<T extends { selected?: boolean }>(each: T, selected: boolean): T {
  return (each.selected ?? false) === selected ? each : { ...each, selected }
}

function selectedNodes(nodes: readonly FlowNode[]): Pick<Selection, 'nodes' | 'notes'> {
  const chosen = nodes.filter((each) => each.selected)
  return {
    nodes: chosen.flatMap((each) => (each.type === 'card' ? [each.id] : [])),
    notes: chosen.flatMap((each) => (each.type === 'note' ? [each.data.note.id] : [])),
  }
}

function standing(selection: Selection, graph: GraphDocument): Selection {
  const nodes = new Set(graph.nodes.map((each) => each.id))
  const notes = new Set(graph.notes.map((each) => each.id))
  return {
    nodes: selection.nodes.filter((each) => nodes.has(each)),
    notes: selection.notes.filter((each) => notes.has(each)),
    edges: [],
  }
}
