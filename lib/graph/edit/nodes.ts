/** Edits of nodes: add, reorder, set their config, switch off and on. */
import type { Catalog } from '#lib/spec/catalog'
import { type GraphDocument, type GraphEdge, type GraphNode, mostDrawn } from '#lib/spec/graph'
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import { appliesToKey } from '#lib/spec/kind'
import { readDrawing } from '../drawing'
import { equal } from '../equal'
import { isAgent, kindOf, nameOf, portsBetween, wireWithAgent } from '../kinds'
import { type Edited, finishEdit, idMaker, keepItems, leaveUnchanged, whole } from './edited'

const mostInTitle = 200

export interface NewNode {
  readonly kind: string
  /** Used if it is free; otherwise an id is generated. */
  readonly id?: string
  readonly at?: { readonly x: number; readonly y: number }
  /** The default is the kind's initial config. */
  readonly config?: JsonObject
  /** Whether to wire it to the agent, unless that would replace another node that is switched on. */
  readonly wire?: boolean
}

/** Adds one node; its id is the first of `added`. */
export function addNode(graph: GraphDocument, node: NewNode, catalog: Catalog): Edited {
  const kind = kindOf(catalog, node.kind)
  if (kind === undefined) return leaveUnchanged(graph, `This server has no part “${node.kind}”.`)
  if (isAgent(kind) && graph.nodes.some((each) => isAgent(kindOf(catalog, each.kind)))) {
    return leaveUnchanged(graph, 'A drawing holds one agent, and this one has it.')
  }
  const most = mostDrawn.nodes
  if (graph.nodes.length >= most)
    return leaveUnchanged(graph, `A drawing holds at most ${most.toLocaleString('en')} nodes.`)
  const id = idMaker(graph)(node.kind, node.id)
  const made: GraphNode = {
    id,
    kind: node.kind,
    config: node.config ?? structuredClone(kind.initial as JsonObject), // cast: a new node's settings are plain JSON
    ...(node.at === undefined ? {} : { at: whole(node.at) }),
  }
  const edges = node.wire === true ? wiresToAgent(graph, made, catalog) : []
  const after: GraphDocument = {
    ...graph,
    nodes: [...graph.nodes, made],
    edges: edges.length === 0 ? graph.edges : [...graph.edges, ...edges],
  }
  return { ...finishEdit(graph, after, catalog), added: [id] }
}

function wiresToAgent(graph: GraphDocument, node: GraphNode, catalog: Catalog): GraphEdge[] {
  const agent = graph.nodes.find((each) => isAgent(kindOf(catalog, each.kind)))
  const wire = agent && wireWithAgent(catalog, node, agent)
  if (agent === undefined || wire === undefined || graph.edges.length >= mostDrawn.edges) return []
  const isInto = wire.to.node === agent.id
  const many =
    isInto && kindOf(catalog, agent.kind)?.in.some(({ name, many }) => many && name === wire.to.port)
  const off = new Set(graph.parked)
  const isTaken = graph.edges.some(({ from, to }) =>
    isInto
      ? to.node === agent.id && to.port === wire.to.port && !off.has(from.node)
      : from.node === agent.id && from.port === wire.from.port && !off.has(to.node),
  )
  return isTaken && !many ? [] : [wire]
}

/**
 * Moves an entry up (negative) or down its list by this many places. The list sets the order in which tools
 * are offered and policies asked.
 */
export function shiftNode(graph: GraphDocument, id: string, by: number, catalog: Catalog): Edited {
  const node = graph.nodes.find((each) => each.id === id)
  const place = node && kindOf(catalog, node.kind)?.place
  if (node === undefined || place?.at !== 'list') return leaveUnchanged(graph)
  const peers = graph.nodes.filter((each) => {
    const other = kindOf(catalog, each.kind)?.place
    return other?.at === 'list' && other.key === place.key
  })
  const from = peers.indexOf(node)
  const to = Math.max(0, Math.min(peers.length - 1, from + by))
  const anchor = peers[to]
  if (to === from || anchor === undefined) return leaveUnchanged(graph)
  const rest = graph.nodes.filter((each) => each !== node)
  const index = rest.indexOf(anchor) + (to > from ? 1 : 0)
  return finishEdit(
    graph,
    { ...graph, nodes: [...rest.slice(0, index), node, ...rest.slice(index)] },
    catalog,
  )
}

/** Replaces a node's config. Globs typed into a policy that is wired to entries replace those wires. */
export function setConfig(graph: GraphDocument, id: string, config: JsonObject, catalog: Catalog): Edited {
  const node = graph.nodes.find((each) => each.id === id)
  if (node === undefined || equal(node.config, config)) return leaveUnchanged(graph)
  const nodes = graph.nodes.map((each) => (each === node ? { ...node, config } : each))
  const typed = config[appliesToKey] !== undefined && !equal(config[appliesToKey], node.config[appliesToKey])
  const { edges, notes } = typed ? wiredByGlobs(graph, node, catalog) : { edges: graph.edges, notes: [] }
  return finishEdit(graph, { ...graph, nodes, edges }, catalog, notes)
}

/** Sets what a node is called on its card; an empty title removes it. */
export function setTitle(graph: GraphDocument, id: string, title: string): Edited {
  const node = graph.nodes.find((each) => each.id === id)
  const text = title.trim() === '' ? undefined : title.slice(0, mostInTitle)
  if (node === undefined || node.title === text) return leaveUnchanged(graph)
  const { title: _, ...rest } = node
  const named = text === undefined ? rest : { ...rest, title: text }
  return {
    graph: { ...graph, nodes: graph.nodes.map((each) => (each === node ? named : each)) },
    notes: [],
    added: [],
  }
}

export type Patch = { readonly [key: string]: JsonValue | undefined }

/** Sets some keys of a node's config; undefined removes a key. */
export function patchConfig(graph: GraphDocument, id: string, patch: Patch, catalog: Catalog): Edited {
  const node = graph.nodes.find((each) => each.id === id)
  if (node === undefined) return leaveUnchanged(graph)
  const entries = Object.entries({ ...node.config, ...patch }).filter(([, value]) => value !== undefined)
  const config: unknown = Object.fromEntries(entries)
  return isObject(config) ? setConfig(graph, id, config, catalog) : leaveUnchanged(graph)
}

function wiredByGlobs(
  graph: GraphDocument,
  node: GraphNode,
  catalog: Catalog,
): { edges: GraphEdge[]; notes: string[] } {
  const { agents, byId } = readDrawing(graph, catalog)
  const [agent] = agents
  const ports = agent && portsBetween(catalog, node.kind, agent.kind)
  const own = graph.edges.filter((edge) => edge.from.node === node.id)
  const toEntries = own.filter((edge) => edge.to.node !== agent?.id && byId.has(edge.to.node))
  if (agent === undefined || ports === undefined || toEntries.length === 0)
    return { edges: graph.edges, notes: [] }
  const gone = new Set(own)
  const wire = { from: { node: node.id, port: ports.from }, to: { node: agent.id, port: ports.to } }
  const note = `${nameOf(catalog, node)} takes its scope from the patterns now, so it is wired to the agent.`
  return { edges: [...graph.edges.filter((edge) => !gone.has(edge)), wire], notes: [note] }
}

/** Switches nodes off (parked) or on; the agent always stays on. */
export function setParked(
  graph: GraphDocument,
  ids: readonly string[],
  parked: boolean,
  catalog: Catalog,
): Edited {
  const agents = new Set(
    graph.nodes.filter((node) => isAgent(kindOf(catalog, node.kind))).map((node) => node.id),
  )
  const wanted = new Set(ids.filter((id) => !agents.has(id)))
  const notes = wanted.size < new Set(ids).size ? ['The agent itself cannot be switched off.'] : []
  const off = new Set(graph.parked)
  const fresh = [...wanted].filter((id) => !off.has(id))
  if (parked && fresh.length === 0) return leaveUnchanged(graph, ...notes)
  const rest = keepItems(graph.parked, (id) => !wanted.has(id))
  if (!parked && rest === graph.parked) return leaveUnchanged(graph, ...notes)
  return finishEdit(graph, { ...graph, parked: parked ? [...graph.parked, ...fresh] : rest }, catalog, notes)
}
