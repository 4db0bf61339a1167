/** Copy, paste and duplicate: a part of a drawing as JSON, inserted again under new ids. */
import { z } from 'zod'
import type { Catalog } from '#lib/spec/catalog'
import {
  type GraphDocument,
  type GraphEdge,
  type GraphNode,
  graphEdge,
  graphFrame,
  graphNode,
  graphNote,
  mostDrawn,
} from '#lib/spec/graph'
import { check } from '../check'
import { kindsFit } from '../connect'
import { isAgent, kindOf, toolNames } from '../kinds'
import { type Edited, finishEdit, idMaker, leaveUnchanged } from './edited'

/** The content of the clipboard, as JSON. */
export const clip = z.strictObject({
  loopwright: z.literal('clip'),
  nodes: z.array(graphNode).max(mostDrawn.nodes),
  edges: z.array(graphEdge).max(mostDrawn.edges),
  notes: z.array(graphNote).max(mostDrawn.notes),
  parked: z.array(z.string()).max(mostDrawn.nodes),
  frames: z.array(graphFrame).max(mostDrawn.frames).default([]),
  /** Wires between copied nodes and others, and the nodes at their other ends. */
  outer: z.array(graphEdge).max(mostDrawn.edges).default([]),
  near: z
    .array(z.strictObject({ id: z.string(), kind: z.string() }))
    .max(mostDrawn.nodes)
    .default([]),
})
export type Clip = z.infer<typeof clip>

/** The chosen nodes, notes and frames, with their wires. */
export function copyNodes(graph: GraphDocument, ids: readonly string[]): Clip {
  const chosen = new Set(ids)
  const nodes = graph.nodes.filter((node) => chosen.has(node.id))
  const own = new Set(nodes.map((each) => each.id))
  const outer = graph.edges.filter(({ from, to }) => own.has(from.node) !== own.has(to.node))
  const ends = new Set(outer.map(({ from, to }) => (own.has(from.node) ? to.node : from.node)))
  return {
    loopwright: 'clip',
    nodes,
    edges: graph.edges.filter(({ from, to }) => own.has(from.node) && own.has(to.node)),
    notes: graph.notes.filter((note) => chosen.has(note.id)),
    parked: graph.parked.filter((id) => own.has(id)),
    frames: graph.look.frames.filter((frame) => chosen.has(frame.id)),
    outer,
    near: graph.nodes.flatMap(({ id, kind }) => (ends.has(id) ? [{ id, kind }] : [])),
  }
}

export interface Shift {
  readonly x: number
  readonly y: number
}

/**
 * Inserts a clip, moved by `by`, under new ids. An agent in the clip is left out when the drawing already has
 * one.
 * A wire to a node that was not copied is drawn if that node exists here, the wire replaces no other, and no
 * tool is then offered twice.
 */
export function paste(graph: GraphDocument, content: Clip, by: Shift, catalog: Catalog): Edited {
  const full = overfull(graph, content)
  if (full !== undefined) return leaveUnchanged(graph, full)
  const ids = new Map<string, string>()
  const { after, added, notes } = put(graph, content, { by, ids, catalog })
  if (added.length === 0) return leaveUnchanged(graph, ...notes)
  const outer = outerWires(graph, content, { after, ids, catalog })
  const whole = (edges: readonly GraphEdge[], ...more: string[]) =>
    finishEdit(graph, { ...after, edges: [...after.edges, ...edges] }, catalog, [...notes, ...more])
  const wired = whole(outer)
  if (outer.length === 0 || !bringsFaults(graph, wired.graph, catalog)) return { ...wired, added }
  // Usually a tool would be offered twice. Everything else that was copied is still wired.
  const entries = new Set(nodesThatOffer(after, catalog))
  const rest = outer.filter(({ from }) => !entries.has(from.node))
  const some = whole(rest, 'Pasted, not connected: a tool of that name exists already.')
  if (rest.length < outer.length && !bringsFaults(graph, some.graph, catalog)) return { ...some, added }
  return { ...whole([], 'Pasted, not connected: the wires would clash with those of the drawing.'), added }
}

function nodesThatOffer(graph: GraphDocument, catalog: Catalog): string[] {
  return graph.nodes.flatMap(({ id, kind }) => (kindOf(catalog, kind)?.scope === undefined ? [] : [id]))
}

interface Putting {
  readonly by: Shift
  /** Filled here: old id → new id. */
  readonly ids: Map<string, string>
  readonly catalog: Catalog
}

function put(
  graph: GraphDocument,
  content: Clip,
  { by, ids, catalog }: Putting,
): { after: GraphDocument; added: string[]; notes: string[] } {
  const taken = graph.nodes.some((node) => isAgent(kindOf(catalog, node.kind)))
  const makeId = idMaker(graph)
  const rename = toolRenamer(graph, catalog)
  let agents = 0
  const nodes = content.nodes.flatMap((node): GraphNode[] => {
    if (isAgent(kindOf(catalog, node.kind))) {
      agents += 1
      if (taken || agents > 1) return []
    }
    const id = makeId(node.kind)
    ids.set(node.id, id)
    const at = node.at && { x: Math.round(node.at.x + by.x), y: Math.round(node.at.y + by.y) }
    return [
      rename({ ...node, id, config: structuredClone(node.config), ...(at === undefined ? {} : { at }) }),
    ]
  })
  const edges = content.edges.flatMap((edge) => {
    const [from, to] = [ids.get(edge.from.node), ids.get(edge.to.node)]
    return from === undefined || to === undefined ? [] : [reconnectEdge(edge, from, to)]
  })
  const moved = (at: readonly [number, number]): [number, number] => [
    Math.round(at[0] + by.x),
    Math.round(at[1] + by.y),
  ]
  const notes = content.notes.map((note) => ({ ...note, id: makeId('note'), at: moved(note.at) }))
  const frames = content.frames.map((frame) => ({ ...frame, id: makeId('frame'), at: moved(frame.at) }))
  const after: GraphDocument = {
    ...graph,
    nodes: [...graph.nodes, ...nodes],
    edges: [...graph.edges, ...edges],
    notes: notes.length === 0 ? graph.notes : [...graph.notes, ...notes],
    parked: [...graph.parked, ...content.parked.flatMap((id) => ids.get(id) ?? [])],
    look: frames.length === 0 ? graph.look : { ...graph.look, frames: [...graph.look.frames, ...frames] },
  }
  return {
    after,
    added: [...ids.values(), ...notes.map((each) => each.id), ...frames.map((each) => each.id)],
    notes: agents > 0 && taken ? ['The agent was left out: a drawing holds one.'] : [],
  }
}

const longestToolName = 64

/** Gives a pasted tool of a person's own the next free name, such as `tool_77_2`, so that it can be wired. */
function toolRenamer(graph: GraphDocument, catalog: Catalog): (node: GraphNode) => GraphNode {
  const nameIn = ({ kind, config }: GraphNode) => {
    // Where the name is that of something else, such as another agent, a new one would name nothing.
    const key = kindOf(catalog, kind)?.scope?.name === 'name' ? 'name' : undefined
    const value = key === undefined ? undefined : config[key]
    return key === undefined || typeof value !== 'string' || value === '' ? undefined : { key, value }
  }
  const taken = new Set([...toolNames(catalog), ...graph.nodes.flatMap((each) => nameIn(each)?.value ?? [])])
  return (node) => {
    const name = nameIn(node)
    if (name === undefined) return node
    const stem = name.value.replace(/_\d+$/, '').slice(0, longestToolName - 6)
    let free = name.value
    for (let n = 2; taken.has(free); n++) free = `${stem}_${n}`
    taken.add(free)
    return free === name.value ? node : { ...node, config: { ...node.config, [name.key]: free } }
  }
}

/** Finds a wire's other end by its id, if the kind is the same; an agent is always this drawing's agent. */
function outerWires(
  graph: GraphDocument,
  content: Clip,
  { after, ids, catalog }: { after: GraphDocument; ids: ReadonlyMap<string, string>; catalog: Catalog },
): GraphEdge[] {
  const agent = graph.nodes.find((node) => isAgent(kindOf(catalog, node.kind)))
  const kinds = new Map(graph.nodes.map((node) => [node.id, node.kind]))
  // A copied agent that was left out is replaced here by the drawing's own agent.
  const near = [...content.near, ...content.nodes.filter((node) => !ids.has(node.id))]
  const here = new Map(
    near.flatMap(({ id, kind }) => {
      if (isAgent(kindOf(catalog, kind))) return agent === undefined ? [] : [[id, agent.id] as const]
      return kinds.get(id) === kind ? [[id, id] as const] : []
    }),
  )
  const room = roomFor(after, catalog)
  return [...content.outer, ...content.edges].flatMap((edge) => {
    const { from, to } = edge
    if (ids.has(from.node) && ids.has(to.node)) return []
    const [source, target] = [
      ids.get(from.node) ?? here.get(from.node),
      ids.get(to.node) ?? here.get(to.node),
    ]
    if (source === undefined || target === undefined) return []
    const wire = reconnectEdge(edge, source, target)
    return room(wire) ? [wire] : []
  })
}

/** Whether a wire fits and replaces no other. Each is checked once and counts for the checks after it. */
function roomFor(graph: GraphDocument, catalog: Catalog): (wire: GraphEdge) => boolean {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]))
  const taken = new Set<string>()
  const toAgent = new Map<string, boolean>()
  const isAgentAt = (id: string) => isAgent(kindOf(catalog, byId.get(id)?.kind ?? ''))
  const isToAgent = ({ to }: GraphEdge) => isAgentAt(to.node)
  const isFromAgent = ({ from }: GraphEdge) => isAgentAt(from.node)
  const count = (wire: GraphEdge) => {
    taken.add(`${wire.to.port} ${wire.to.node}`)
    // The agent's out port has one wire.
    if (isFromAgent(wire)) taken.add(`from ${wire.from.port}`)
    toAgent.set(wire.from.node, isToAgent(wire))
  }
  for (const edge of graph.edges) count(edge)
  return (wire) => {
    const [source, target] = [byId.get(wire.from.node), byId.get(wire.to.node)]
    if (source === undefined || target === undefined || source === target) return false
    if (!kindsFit(catalog, { source, target, from: wire.from.port, to: wire.to.port }).ok) return false
    const port = kindOf(catalog, target.kind)?.in.find(({ name }) => name === wire.to.port)
    if (port?.many === false && taken.has(`${wire.to.port} ${wire.to.node}`)) return false
    if (isFromAgent(wire) && taken.has(`from ${wire.from.port}`)) return false
    if ((toAgent.get(source.id) ?? isToAgent(wire)) !== isToAgent(wire)) return false
    count(wire)
    return true
  }
}

function reconnectEdge(edge: GraphEdge, from: string, to: string): GraphEdge {
  return { from: { ...edge.from, node: from }, to: { ...edge.to, node: to } }
}

function bringsFaults(before: GraphDocument, after: GraphDocument, catalog: Catalog): boolean {
  const faults = (graph: GraphDocument) =>
    check(graph, catalog).filter(({ severity }) => severity === 'error').length
  return faults(after) > faults(before)
}

function overfull(graph: GraphDocument, content: Clip): string | undefined {
  const counts = [
    { what: 'nodes', sum: graph.nodes.length + content.nodes.length, most: mostDrawn.nodes },
    {
      what: 'wires',
      sum: graph.edges.length + content.edges.length + content.outer.length,
      most: mostDrawn.edges,
    },
    { what: 'notes', sum: graph.notes.length + content.notes.length, most: mostDrawn.notes },
    { what: 'frames', sum: graph.look.frames.length + content.frames.length, most: mostDrawn.frames },
  ]
  const over = counts.find(({ sum, most }) => sum > most)
  return over && `A drawing holds at most ${over.most.toLocaleString('en')} ${over.what}.`
}

/** Places copies next to their originals, wired as by a paste. */
export function duplicateNodes(
  graph: GraphDocument,
  ids: readonly string[],
  { by = { x: 32, y: 32 }, catalog }: { by?: Shift; catalog: Catalog },
): Edited {
  return paste(graph, copyNodes(graph, ids), by, catalog)
}
