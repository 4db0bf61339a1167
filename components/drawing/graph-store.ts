/**
 * The drawing's state in the browser: the document with its history, what it compiles to, and what the canvas
 * draws.
 */
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
import { routesOf } from '#lib/graph/routes'
import type { Catalog } from '#lib/spec/catalog'
import type { Diagnostic } from '#lib/spec/errors'
import type { GraphDocument } from '#lib/spec/graph'
import { boxOf } from './boxes'
import { cardFacts, type FactsById } from './card-facts'
import { findingsOf, pathsOf } from './compiled'
import { inWorker, isLarge, tidyLarge } from './drawing-worker'
import {
  type FlowEdge,
  type FlowNode,
  flowEdges,
  flowNodes,
  frameFlowId,
  noteFlowId,
  wiredNodes,
} from './flow'
import { type History, record, redo, startHistory, undo } from './history'
import type { Permits } from './permits'
import { afterPaint, mapsBetween } from './portions'
import { isSameRoute, isSameRouting, type RoutedDrawing, routing, type WireRoutes } from './wire-routes'
import type { Wiring } from './wiring'

export type Edit = (graph: GraphDocument, catalog: Catalog) => Edited

export interface Selection {
  readonly nodes: readonly string[]
  readonly notes: readonly string[]
  readonly edges: readonly string[]
  readonly frames: readonly string[]
}

/** One line at the pointer: why a drop was refused, or what else an edit changed. */
export interface Remark extends XYPosition {
  readonly text: string
}

export interface GraphState {
  readonly catalog: Catalog
  readonly isReadOnly: boolean
  readonly history: History<GraphDocument>
  readonly nodes: FlowNode[]
  readonly edges: FlowEdge[]
  /** The wires that do not run in a curve, because a card is in the way or because they share a trunk. */
  readonly routes: WireRoutes
  /** Nodes with at least one wire. */
  readonly wiredNodes: ReadonlySet<string>
  /** Nodes a person has switched off. */
  readonly off: ReadonlySet<string>
  readonly selection: Selection
  readonly compiled: Compiled
  /** The drawing that `compiled` was made from; a moment behind while a person is editing. */
  readonly compiledOf: GraphDocument
  /** Node id → entry path. */
  readonly paths: ReadonlyMap<string, string>
  readonly findings: ReadonlyMap<string, readonly Diagnostic[]>
  /** What the drawing says about each card, by node id. */
  readonly facts: FactsById
  readonly permits: Permits
  /** How often cards without a position got one after they were drawn. */
  readonly settled: number
  readonly wiring: Wiring | null
  readonly remark: Remark | null
  /**
   * Applies an edit as one entry of the history; the edits of one gesture share an entry. Returns true when
   * something changed.
   */
  edit(change: Edit, gesture?: string): boolean
  undo(): void
  redo(): void
  /** Replaces the document and starts a new history. */
  load(graph: GraphDocument): void
  select(selection: Partial<Selection>): void
  changeNodes(changes: NodeChange<FlowNode>[]): void
  changeEdges(changes: EdgeChange<FlowEdge>[]): void
  setWiring(wiring: Wiring | null): void
  /**
   * While a run is shown, its own entry paths find the cards; undefined returns to the drawing's own paths.
   */
  follow(origins: Readonly<Record<string, string>> | undefined): void
  /**
   * Sets findings that cannot be derived from the drawing; they appear on their nodes together with its own.
   */
  hear(found: readonly Diagnostic[]): void
  /** Sets what the policies allow, which the server works out. */
  permit(permits: Permits): void
  say(text: string | null, at?: XYPosition): void
  /** Stores the pointer's position in screen pixels, where remarks appear. It causes no render. */
  point(at: XYPosition): void
  pointerAt(): XYPosition
}

export type GraphStore = StoreApi<GraphState>

export interface GraphStoreOptions {
  readonly graph: GraphDocument
  readonly catalog: Catalog
  readonly isReadOnly?: boolean
  /** What this graph compiles to, if that is known: it is then compiled only after the first edit. */
  readonly compiled?: Compiled | undefined
  /** The entry paths of a stored run, used in place of those compiled here. */
  readonly origins?: Readonly<Record<string, string>>
}

const noRoutes: WireRoutes = new Map()
const nothing: Selection = { nodes: [], notes: [], edges: [], frames: [] }
const nonePermitted: Permits = new Map()
const compileDelay = 60
/** How many wires of a large drawing take new routes in one frame. */
const wiresPerFrame = 80

export function createGraphStore({
  graph,
  catalog,
  isReadOnly = false,
  compiled,
  origins,
}: GraphStoreOptions): GraphStore {
  return createStore<GraphState>((set, get) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let routeTimer: ReturnType<typeof setTimeout> | undefined
    let lastRouting: unknown
    let followed = origins
    let heard: readonly Diagnostic[] = []
    let pointer: XYPosition = { x: 0, y: 0 }

    const show = (
      history: History<GraphDocument>,
      previous?: RoutedDrawing & Pick<GraphState, 'nodes' | 'edges'>,
    ) => {
      const shown = history.present
      const { places, isRough } = placesOf(shown, catalog, previous?.nodes ?? [])
      if (isRough) void tidyLarge(shown, catalog).then(settle)
      const input = { graph: shown, catalog, places }
      const nodes = flowNodes(previous?.nodes ?? [], input)
      const edges = flowEdges(previous?.edges ?? [], input)
      return {
        history,
        nodes,
        edges,
        routes: routesFor(input, { nodes, edges }, previous),
        wiredNodes: wiredNodes(shown),
        off: new Set(shown.parked),
      }
    }
    // Cards that a person has placed in the meantime stay where they are.
    const settle = (places: ReadonlyMap<string, XYPosition>) => {
      set(({ nodes, settled }) => ({
        settled: settled + 1,
        nodes: nodes.map((each) => {
          const position = places.get(each.id)
          const isTheirs = each.type !== 'card' || each.data.node.at !== undefined
          return isTheirs || position === undefined ? each : { ...each, position }
        }),
      }))
      routeNow()
    }
    // The wires of a large drawing keep their routes until the worker has found new ones.
    const routesFor = (
      input: Parameters<typeof routing>[0],
      drawn: Pick<GraphState, 'nodes' | 'edges'>,
      previous?: RoutedDrawing,
    ) => {
      if (previous !== undefined && isSameRouting(previous, drawn)) return previous.routes
      clearTimeout(routeTimer)
      lastRouting = undefined
      if (!isLarge(input.graph)) return routesOf(...routing(input, drawn.nodes))
      routeTimer = setTimeout(routeNow)
      return previous?.routes ?? noRoutes
    }
    const routeNow = () => {
      const { history, nodes } = get()
      const graph = history.present
      const known = routing({ graph, catalog }, nodes)
      lastRouting = known
      if (!isLarge(graph)) return set({ routes: routesOf(...known) })
      void inWorker('routes', ...known).then((routes) => {
        if (lastRouting === known) showRoutes(routes, known)
      })
    }
    // All wires of a large drawing at once would hold up a frame.
    const showRoutes = (found: WireRoutes, known: unknown) => {
      const portions = mapsBetween(get().routes, found, { most: wiresPerFrame, isEqual: isSameRoute })
      const showNext = () => {
        const { value: routes } = portions.next()
        if (routes === undefined || lastRouting !== known) return
        set({ routes })
        afterPaint(showNext)
      }
      showNext()
    }
    // Cards are measured one after another; the wires wait until all of them are.
    const routeSoon = () => {
      clearTimeout(routeTimer)
      routeTimer = setTimeout(routeNow, compileDelay)
    }
    const factsOf = (state: Pick<GraphState, 'history' | 'paths' | 'findings' | 'permits'>) =>
      cardFacts({ ...state, graph: state.history.present, catalog, isReadOnly }, get()?.facts)
    const told = (result: Compiled, of: GraphDocument) => ({
      compiled: result,
      compiledOf: of,
      paths: pathsOf(followed ?? result.origins),
      findings: findingsOf([...result.diagnostics, ...heard], get()?.findings),
    })
    const tell = (result: Compiled, of: GraphDocument) => {
      const next = told(result, of)
      set({ ...next, facts: factsOf({ ...get(), ...next }) })
    }
    const compileNow = async () => {
      const { present } = get().history
      const compiled = isLarge(present)
        ? await inWorker('compile', present, catalog)
        : compile(present, catalog)
      // After a further edit, the result of that edit is on its way.
      if (get().history.present === present) tell(compiled, present)
    }
    // Typing must not wait for the compiler, so it runs after a short pause in the edits.
    const compileSoon = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void compileNow(), compileDelay)
    }
    const turn = (history: History<GraphDocument>) => {
      const state = get()
      if (history.present === state.history.present) return false
      set({
        ...show(history, state),
        facts: factsOf({ ...state, history }),
        selection: keepExisting(state.selection, history.present),
      })
      compileSoon()
      return true
    }

    const history = startHistory(graph)
    const first = told(compiled ?? compile(graph, catalog), graph)
    return {
      catalog,
      isReadOnly,
      ...show(history),
      ...first,
      facts: factsOf({ ...first, history, permits: nonePermitted }),
      permits: nonePermitted,
      selection: nothing,
      settled: 0,
      wiring: null,
      remark: null,

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
        const started = startHistory(next)
        const compiled = told(compile(next, catalog), next)
        set({
          ...show(started, get()),
          ...compiled,
          facts: factsOf({ ...compiled, history: started, permits: nonePermitted }),
          permits: nonePermitted,
          selection: keepExisting(get().selection, next),
        })
      },
      select(selection) {
        const chosen = { ...nothing, ...selection }
        const ids = new Set([
          ...chosen.nodes,
          ...chosen.notes.map(noteFlowId),
          ...chosen.frames.map(frameFlowId),
        ])
        const wires = new Set(chosen.edges)
        set(({ nodes, edges }) => ({
          selection: chosen,
          nodes: nodes.map((each) => markSelected(each, ids.has(each.id))),
          edges: edges.map((each) => markSelected(each, wires.has(each.id))),
        }))
      },
      changeNodes(changes) {
        const before = get().nodes
        const nodes = applyNodeChanges(changes, before)
        set({
          nodes,
          ...(changes.some((each) => each.type === 'select')
            ? { selection: { ...get().selection, ...selectedNodes(nodes) } }
            : {}),
        })
        if (changes.some((each) => each.type === 'dimensions') && isResized(before, nodes)) routeSoon()
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
        const paths = pathsOf(followed ?? get().compiled.origins)
        set({ paths, facts: factsOf({ ...get(), paths }) })
      },
      hear(found) {
        if (found.length === 0 && heard.length === 0) return
        heard = found
        tell(get().compiled, get().compiledOf)
      },
      permit(permits) {
        set({ permits, facts: factsOf({ ...get(), permits }) })
      },
      say: (text, at) => set({ remark: text === null ? null : { text, ...(at ?? pointer) } }),
      point(at) {
        pointer = at
      },
      pointerAt: () => pointer,
    }
  })
}

/** A card that is measured at the size that was assumed for it changes no wire. */
function isResized(before: readonly FlowNode[], now: readonly FlowNode[]): boolean {
  return now.some((each, index) => {
    const known = before[index]
    if (known === undefined || known === each) return false
    const [old, box] = [boxOf(known), boxOf(each)]
    return Math.abs(old.width - box.width) > 1 || Math.abs(old.height - box.height) > 1
  })
}

interface Places {
  readonly places: ReadonlyMap<string, XYPosition>
  /** Rough positions that only keep cards apart until the layout from the worker arrives. */
  readonly isRough: boolean
}

/** Positions for the nodes that have none: their previous position, or else one from the layout. */
function placesOf(graph: GraphDocument, catalog: Catalog, previous: readonly FlowNode[]): Places {
  const homeless = graph.nodes.filter((each) => each.at === undefined)
  if (homeless.length === 0) return { places: new Map(), isRough: false }
  const stood = new Map(previous.map((each) => [each.id, each.position]))
  const isRough = isLarge(graph) && homeless.some((each) => !stood.has(each.id))
  const laid = isRough || homeless.every((each) => stood.has(each.id)) ? stood : layout(graph, catalog)
  const places = new Map<string, XYPosition>()
  for (const [index, { id }] of homeless.entries())
    places.set(id, stood.get(id) ?? laid.get(id) ?? roughPlace(index))
  return { places, isRough }
}

const perRoughRow = 24

function roughPlace(index: number): XYPosition {
  return { x: (index % perRoughRow) * 272, y: Math.floor(index / perRoughRow) * 256 }
}

function markSelected<T extends { selected?: boolean }>(each: T, selected: boolean): T {
  return (each.selected ?? false) === selected ? each : { ...each, selected }
}

function selectedNodes(nodes: readonly FlowNode[]): Pick<Selection, 'nodes' | 'notes' | 'frames'> {
  const chosen = nodes.filter((each) => each.selected)
  return {
    nodes: chosen.flatMap((each) => (each.type === 'card' ? [each.id] : [])),
    notes: chosen.flatMap((each) => (each.type === 'note' ? [each.data.note.id] : [])),
    frames: chosen.flatMap((each) => (each.type === 'frame' ? [each.data.frame.id] : [])),
  }
}

function keepExisting(selection: Selection, graph: GraphDocument): Selection {
  const nodes = new Set(graph.nodes.map((each) => each.id))
  const notes = new Set(graph.notes.map((each) => each.id))
  const frames = new Set(graph.look.frames.map((each) => each.id))
  return {
    nodes: selection.nodes.filter((each) => nodes.has(each)),
    notes: selection.notes.filter((each) => notes.has(each)),
    edges: [],
    frames: selection.frames.filter((each) => frames.has(each)),
  }
}
