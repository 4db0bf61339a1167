/** Finds node kinds, ports and tool names in a catalog; each catalog is indexed once. */
import type { Catalog, CatalogTool } from '#lib/spec/catalog'
import type { GraphEdge } from '#lib/spec/graph'
import type { JsonObject } from '#lib/spec/json'
import type { NodeKind } from '#lib/spec/kind'
import { addTo } from '#lib/spec/lists'

interface Index {
  readonly byId: ReadonlyMap<string, NodeKind>
  /** By place: the key of an object, or the key of a list and the item's `use`. */
  readonly byPlace: ReadonlyMap<string, NodeKind>
  /** The in port for a type, by type. */
  readonly portOf: ReadonlyMap<string, string>
  readonly toolsOf: ReadonlyMap<string, readonly CatalogTool[]>
  readonly toolByName: ReadonlyMap<string, CatalogTool>
}

const indexes = new WeakMap<Catalog, Index>()

export function kindOf(catalog: Catalog, kind: string): NodeKind | undefined {
  return indexOf(catalog).byId.get(kind)
}

/** The kind of a config entry: of the object under `key`, or of an item of the list `key`. */
export function kindAt(catalog: Catalog, key: string, use?: string): NodeKind | undefined {
  return indexOf(catalog).byPlace.get(placeKey(key, use))
}

/** Names of all tools of the catalog, in its order. */
export function toolNames(catalog: Catalog): string[] {
  return catalog.tools.map((each) => each.name)
}

export function toolOf(catalog: Catalog, name: string): CatalogTool | undefined {
  return indexOf(catalog).toolByName.get(name)
}

/** The catalog's tools of one toolkit; undefined when they are found only at run time. */
export function toolsOf(catalog: Catalog, use: string): readonly CatalogTool[] | undefined {
  return indexOf(catalog).toolsOf.get(use)
}

/** The keys of the config's lists of entries, in the schema's order. */
export function listKeys(catalog: Catalog): string[] {
  return placeKeys(catalog, 'list')
}

/** The keys of the config's objects that are nodes, in the schema's order. */
export function objectKeys(catalog: Catalog): string[] {
  return placeKeys(catalog, 'object')
}

/**
 * The out port of a kind. If the kind is not in the catalog, it is read from the name, so nothing is lost.
 */
export function outPort(catalog: Catalog, kind: string): string | undefined {
  const known = kindOf(catalog, kind)
  return known === undefined ? stemOf(kind) : known.out
}

/** The two ports of a wire between two kinds; undefined when no wire fits. */
export function portsBetween(
  catalog: Catalog,
  from: string,
  to: string,
): { from: string; to: string } | undefined {
  const out = outPort(catalog, from)
  if (out === undefined) return undefined
  const target = kindOf(catalog, to)
  if (target === undefined) return { from: out, to: indexOf(catalog).portOf.get(out) ?? out }
  const port = target.in.find((each) => each.accepts === out)
  return port && { from: out, to: port.name }
}

/** The wire that makes a node part of the agent: into the agent, or out of it if that port fits the node. */
export function wireWithAgent(
  catalog: Catalog,
  node: { readonly id: string; readonly kind: string },
  agent: { readonly id: string; readonly kind: string },
): GraphEdge | undefined {
  const into = portsBetween(catalog, node.kind, agent.kind)
  if (into !== undefined)
    return { from: { node: node.id, port: into.from }, to: { node: agent.id, port: into.to } }
  const out = portsBetween(catalog, agent.kind, node.kind)
  return out && { from: { node: agent.id, port: out.from }, to: { node: node.id, port: out.to } }
}

export function isAgent(kind: NodeKind | undefined): boolean {
  return kind?.place.at === 'root'
}

/** `tool:builtin` → `tool`. */
export function stemOf(kind: string): string {
  const colon = kind.indexOf(':')
  return colon < 0 ? kind : kind.slice(0, colon)
}

/** A person's name for the node: its own name if it has one, otherwise its kind's label. */
export function nameOf(
  catalog: Catalog,
  node: { readonly kind: string; readonly config: JsonObject },
): string {
  const kind = kindOf(catalog, node.kind)
  if (isAgent(kind)) return 'the agent'
  const key = kind?.scope?.name ?? (kind?.out === 'group' || kind?.out === 'skill' ? 'name' : undefined)
  const name = key === undefined ? undefined : node.config[key]
  if (typeof name === 'string' && name !== '') return name
  return kind?.label ?? node.kind
}

function indexOf(catalog: Catalog): Index {
  const known = indexes.get(catalog)
  if (known !== undefined) return known
  const toolsOf = new Map<string, CatalogTool[]>()
  for (const tool of catalog.tools) {
    addTo(toolsOf, tool.use, tool)
  }
  const ports = catalog.kinds.flatMap((kind) => kind.in)
  const index: Index = {
    byId: new Map(catalog.kinds.map((kind) => [kind.kind, kind])),
    byPlace: new Map(catalog.kinds.map((kind) => [placeOf(kind), kind])),
    portOf: new Map(ports.map((port) => [port.accepts, port.name])),
    toolsOf,
    toolByName: new Map(catalog.tools.map((tool) => [tool.name, tool])),
  }
  indexes.set(catalog, index)
  return index
}

function placeOf(kind: NodeKind): string {
  return kind.place.at === 'root' ? '' : placeKey(kind.place.key, kind.use)
}

function placeKey(key: string, use: string | undefined): string {
  return use === undefined ? key : `${key}\n${use}`
}

function placeKeys(catalog: Catalog, at: 'list' | 'object'): string[] {
  const keys = new Set(catalog.kinds.map((kind) => (kind.place.at === at ? kind.place.key : '')))
  return Object.keys(catalog.schema.properties ?? {}).filter((key) => keys.has(key))
}
