/** Draws a config as the graph that compiles to the same bytes, without inventing positions. */
import type { Catalog } from '#lib/spec/catalog'
import type { Diagnostic } from '#lib/spec/errors'
import {
  type GraphDocument,
  type GraphEdge,
  type GraphFrame,
  type GraphNode,
  type GraphNote,
  mostDrawn,
} from '#lib/spec/graph'
import { groupKey } from '#lib/spec/group'
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import { appliesToKey } from '#lib/spec/kind'
import { canonicalConfig } from './canonical'
import { readDrawing } from './drawing'
import { textsOf } from './equal'
import { isAgent, kindAt, kindOf, listKeys, objectKeys, portsBetween, stemOf, wireWithAgent } from './kinds'
import { type Scopes, scopesOfNodes } from './scope'

export interface Decompiled {
  readonly graph: GraphDocument
  readonly diagnostics: Diagnostic[]
  /** Path in the config → node id; the ids are the paths. */
  readonly origins: Record<string, string>
}

/** `config` has passed the config schema. */
export function decompile(config: JsonObject, catalog: Catalog): Decompiled {
  const form = canonicalConfig(config, catalog.schema)
  const canvas = isObject(form.canvas) ? form.canvas : {}
  const parked = objectsOf(canvas.parked)
  const diagnostics: Diagnostic[] = []
  const live = drawLiveNodes(liveNodes(form, catalog), catalog)
  const look = isObject(canvas.look) ? canvas.look : {}
  const nodes = nameNodes(
    placeNodes([...live.nodes, ...parked.map(parkedNode)], canvas.at, diagnostics),
    look.titles,
    diagnostics,
  )
  const edges = [...live.edges]
  const byId = new Map(nodes.map((node) => [node.id, node]))
  parked.forEach((entry, index) => {
    edges.push(...parkedEdges(entry, { holder: `parked/${index}`, byId, catalog, diagnostics }))
  })
  const graph: GraphDocument = {
    version: 1,
    nodes,
    edges,
    notes: objectsOf(canvas.notes).map(noteOf),
    parked: parked.flatMap((entry, index) => (entry.why === 'disabled' ? [`parked/${index}`] : [])),
    look: { frames: framesOf(look) },
  }
  const origins = Object.fromEntries(nodes.map((node) => [node.id, node.id]))
  return {
    graph: keepParked(graph, catalog, diagnostics),
    diagnostics: [...diagnostics, ...tooLarge(graph)],
    origins,
  }
}

function framesOf(look: JsonObject): GraphFrame[] {
  return objectsOf(look.frames).flatMap(({ title, at, size }, index) => {
    const [place, room] = [pairOf(at), pairOf(size)]
    if (typeof title !== 'string' || place === undefined || room === undefined) return []
    return [{ id: `frame/${index}`, title, at: place, size: room }]
  })
}

function liveNodes(form: JsonObject, catalog: Catalog): GraphNode[] {
  const agent = catalog.kinds.find(isAgent)
  const own = new Set(Object.keys(agent?.schema.properties ?? {}))
  const nodes: GraphNode[] = []
  if (agent !== undefined) {
    const config = Object.fromEntries(Object.entries(form).filter(([key]) => own.has(key)))
    nodes.push({ id: 'agent', kind: agent.kind, config })
  }
  for (const key of objectKeys(catalog)) {
    const config = form[key]
    if (isObject(config)) nodes.push({ id: key, kind: kindAt(catalog, key)?.kind ?? key, config })
  }
  for (const key of listKeys(catalog)) {
    objectsOf(form[key]).forEach((entry, index) => {
      nodes.push(entryNode(entry, { id: `${key}/${index}`, key, catalog }))
    })
  }
  return nodes
}

interface EntryPlace {
  readonly id: string
  readonly key: string
  readonly catalog: Catalog
}

function entryNode(entry: JsonObject, { id, key, catalog }: EntryPlace): GraphNode {
  const { use, ...config } = entry
  const name = typeof use === 'string' ? use : ''
  const known = use === undefined ? kindAt(catalog, key) : kindAt(catalog, key, name)
  const kind = known?.kind ?? `${stemOfList(key, catalog)}:${name}`
  return { id, kind, config }
}

function stemOfList(key: string, catalog: Catalog): string {
  const kind = catalog.kinds.find(({ place }) => place.at === 'list' && place.key === key)
  return kind === undefined ? key : stemOf(kind.kind)
}

function parkedNode(entry: JsonObject, index: number): GraphNode {
  const at = pairOf(entry.at)
  return {
    id: `parked/${index}`,
    kind: typeof entry.kind === 'string' ? entry.kind : '',
    config: isObject(entry.config) ? entry.config : {},
    ...(at === undefined ? {} : { at: { x: at[0], y: at[1] } }),
  }
}

function placeNodes(
  nodes: readonly GraphNode[],
  places: JsonValue | undefined,
  diagnostics: Diagnostic[],
): GraphNode[] {
  if (!isObject(places)) return [...nodes]
  const ids = new Set(nodes.map((node) => node.id))
  for (const path of Object.keys(places)) {
    if (!ids.has(path)) diagnostics.push(unknownPath(path, `canvas/at/${path}`))
  }
  return nodes.map((node) => {
    const at = Object.hasOwn(places, node.id) ? pairOf(places[node.id]) : undefined
    return at === undefined ? node : { ...node, at: { x: at[0], y: at[1] } }
  })
}

function nameNodes(
  nodes: readonly GraphNode[],
  titles: JsonValue | undefined,
  diagnostics: Diagnostic[],
): GraphNode[] {
  if (!isObject(titles)) return [...nodes]
  const ids = new Set(nodes.map((node) => node.id))
  for (const path of Object.keys(titles)) {
    if (!ids.has(path)) diagnostics.push(unknownPath(path, `canvas/look/titles/${path}`))
  }
  return nodes.map((node) => {
    const title = Object.hasOwn(titles, node.id) ? titles[node.id] : undefined
    return typeof title === 'string' && title !== '' ? { ...node, title } : node
  })
}

/**
 * Every live node is wired to the agent, except policies whose globs can be drawn as wires to entries, and
 * tools of a group, which are wired to it.
 */
function drawLiveNodes(
  nodes: readonly GraphNode[],
  catalog: Catalog,
): { nodes: GraphNode[]; edges: GraphEdge[] } {
  const [agent, ...others] = nodes
  if (agent === undefined) return { nodes: [], edges: [] }
  const entries = others.filter((node) => kindOf(catalog, node.kind)?.scope !== undefined)
  const scopes = scopesOfNodes(entries, catalog)
  const edges: GraphEdge[] = []
  const groups = new Map(
    others
      .filter(({ kind }) => kindOf(catalog, kind)?.out === 'group')
      .map((node) => [node.config.name, node]),
  )
  const drawn = others.map((node) => {
    const group = groups.get(node.config[groupKey])
    const toGroup = group === undefined ? [] : edgeBetween(node, group, catalog)
    if (toGroup.length > 0) {
      edges.push(...toGroup)
      const { [groupKey]: _, ...config } = node.config
      return { ...node, config }
    }
    const wired = entriesDrawnFor(node, scopes)
    if (wired === undefined) {
      const wire = wireWithAgent(catalog, node, agent)
      if (wire !== undefined) edges.push(wire)
      return node
    }
    for (const entry of wired.flatMap((index) => entries[index] ?? []))
      edges.push(...edgeBetween(node, entry, catalog))
    const { [appliesToKey]: globs, ...config } = node.config
    return { ...node, config }
  })
  return { nodes: [agent, ...drawn], edges }
}

function entriesDrawnFor(node: GraphNode, scopes: Scopes): number[] | undefined {
  const globs = node.config[appliesToKey]
  return globs === undefined ? undefined : scopes.drawn(textsOf(globs))
}

function edgeBetween(from: GraphNode, to: GraphNode, catalog: Catalog): GraphEdge[] {
  const ports = portsBetween(catalog, from.kind, to.kind)
  if (ports === undefined) return []
  return [{ from: { node: from.id, port: ports.from }, to: { node: to.id, port: ports.to } }]
}

interface WireContext {
  readonly holder: string
  readonly byId: ReadonlyMap<string, GraphNode>
  readonly catalog: Catalog
  readonly diagnostics: Diagnostic[]
}

function parkedEdges(entry: JsonObject, { holder, byId, catalog, diagnostics }: WireContext): GraphEdge[] {
  const seen = new Set<string>()
  return objectsOf(entry.wires).flatMap(({ from, to }, index): GraphEdge[] => {
    const path = `canvas/${holder}/wires/${index}`
    const source = byId.get(String(from))
    const target = byId.get(String(to))
    if (source === undefined || target === undefined) {
      diagnostics.push(unknownPath(String(source === undefined ? from : to), path))
      return []
    }
    const key = `${source.id} ${target.id}`
    const edges = edgeBetween(source, target, catalog)
    const rightHolder = source.id.startsWith('parked/') ? source.id : target.id
    if (edges.length === 0 || source === target || rightHolder !== holder || seen.has(key)) {
      const why = wireFault({
        fits: edges.length > 0 && source !== target,
        twice: seen.has(key),
        holder: rightHolder,
      })
      const message = `The wire from ${source.id} to ${target.id} ${why}. Take it out.`
      diagnostics.push({ severity: 'error', code: 'canvas_wire', message, node: holder, path })
      return []
    }
    seen.add(key)
    return edges
  })
}

function wireFault({ fits, twice, holder }: { fits: boolean; twice: boolean; holder: string }): string {
  if (!fits) return 'joins two nodes that do not fit'
  if (twice) return 'stands twice'
  return holder.startsWith('parked/') ? `belongs to ${holder}` : 'joins two nodes that are not parked'
}

/** Keeps a node parked as unwired out of the agent, whatever its wires. */
function keepParked(graph: GraphDocument, catalog: Catalog, diagnostics: Diagnostic[]): GraphDocument {
  const { live } = readDrawing(graph, catalog)
  const awake = new Set(
    graph.nodes.map(({ id }) => id).filter((id) => id.startsWith('parked/') && live.has(id)),
  )
  if (awake.size === 0) return graph
  for (const id of awake) {
    const message = `${id} is parked as unwired, but its wires lead to the agent. Use “disabled”, or remove the wires.`
    diagnostics.push({
      severity: 'error',
      code: 'parked_wired',
      message,
      node: id,
      path: `canvas/${id}/wires`,
    })
  }
  return {
    ...graph,
    edges: graph.edges.filter(({ from, to }) => !awake.has(from.node) && !awake.has(to.node)),
  }
}

function tooLarge(graph: GraphDocument): Diagnostic[] {
  const parts = ['nodes', 'edges', 'notes'] as const
  return parts.flatMap((part): Diagnostic[] => {
    if (graph[part].length <= mostDrawn[part]) return []
    const word = part === 'edges' ? 'wires' : part
    const message = `The config draws ${graph[part].length} ${word}; a drawing holds at most ${mostDrawn[part]}.`
    return [{ severity: 'error', code: 'drawing_too_large', message }]
  })
}

function unknownPath(name: string, path: string): Diagnostic {
  const message = `The drawing names “${name}”, which this config does not have. Take it out of canvas.`
  return { severity: 'error', code: 'canvas_unknown', message, path }
}

function noteOf(note: JsonObject, index: number): GraphNote {
  const size = pairOf(note.size)
  return {
    id: `note_${index}`,
    text: typeof note.text === 'string' ? note.text : '',
    at: pairOf(note.at) ?? [0, 0],
    ...(size === undefined ? {} : { size }),
  }
}

function pairOf(value: JsonValue | undefined): [number, number] | undefined {
  if (!Array.isArray(value)) return undefined
  const [x, y] = value
  return typeof x === 'number' && typeof y === 'number' ? [x, y] : undefined
}

function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
