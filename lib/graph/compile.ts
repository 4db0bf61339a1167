/** Compiles a drawing into the portable config; the same drawing gives the same bytes. */
import type { Catalog } from '#lib/spec/catalog'
import { schemaUrn } from '#lib/spec/config'
import type { Diagnostic } from '#lib/spec/errors'
import type { GraphDocument, GraphNode } from '#lib/spec/graph'
import { groupKey } from '#lib/spec/group'
import type { JsonObject, JsonValue } from '#lib/spec/json'
import { appliesToKey } from '#lib/spec/kind'
import { addTo } from '#lib/spec/lists'
import { canonicalConfig, writeConfig } from './canonical'
import { checkDrawing } from './check'
import { groupOf } from './check-groups'
import { type Drawing, originsOf, readDrawing, targetsOf } from './drawing'
import { kindOf } from './kinds'

export interface Compiled {
  /** The canonical config as data; null when a diagnostic is an error. */
  readonly config: JsonObject | null
  /** The canonical bytes. */
  readonly text: string | null
  readonly diagnostics: Diagnostic[]
  /** Path in the config → node id, parked nodes included. */
  readonly origins: Record<string, string>
}

/** Never throws for a graph that fits `graphDocument`. */
export function compile(graph: GraphDocument, catalog: Catalog): Compiled {
  const drawing = readDrawing(graph, catalog)
  const diagnostics = checkDrawing(drawing)
  const origins = originsOf(drawing)
  const [agent] = drawing.agents
  if (agent === undefined || diagnostics.some((each) => each.severity === 'error')) {
    return { config: null, text: null, diagnostics, origins }
  }
  const config = canonicalConfig(assembleConfig(drawing, agent), catalog.schema)
  return { config, text: writeConfig(config), diagnostics, origins }
}

function assembleConfig(drawing: Drawing, agent: GraphNode): JsonObject {
  const config: JsonObject = { $schema: schemaUrn, version: 1, ...agent.config }
  for (const [key, [node]] of drawing.objects) if (node !== undefined) config[key] = node.config
  for (const [key, nodes] of drawing.lists) config[key] = nodes.map((node) => entryOf(drawing, node))
  config.canvas = canvasOf(drawing)
  return config
}

function entryOf(drawing: Drawing, node: GraphNode): JsonObject {
  const use = kindOf(drawing.catalog, node.kind)?.use
  const entry: JsonObject = use === undefined ? { ...node.config } : { use, ...node.config }
  const name = groupOf(drawing, node)?.config.name
  if (name !== undefined) entry[groupKey] = name
  const globs = wiredGlobs(drawing, node)
  if (globs !== undefined) entry[appliesToKey] = globs
  return entry
}

/**
 * The globs that a policy gets from its wires to entries; undefined when it has none, and its config decides.
 */
function wiredGlobs(drawing: Drawing, node: GraphNode): string[] | undefined {
  const indexes = targetsOf(drawing, node.id).entries.flatMap((entry) => drawing.toolIndex.get(entry) ?? [])
  return indexes.length === 0 ? undefined : drawing.scopes.union(indexes)
}

function canvasOf(drawing: Drawing): JsonObject {
  const { graph, byId, parked, paths } = drawing
  const at: JsonObject = {}
  const off = new Set(parked.map(({ node }) => node.id))
  for (const [id, path] of paths) {
    const place = byId.get(id)?.at
    if (place !== undefined && !off.has(id)) at[path] = [place.x, place.y]
  }
  const notes = graph.notes.map((note): JsonObject => {
    const { text, at: place, size } = note
    return { text, at: [...place], ...(size === undefined ? {} : { size: [...size] }) }
  })
  const frames = graph.look.frames.map(
    ({ title, at: place, size }): JsonObject => ({ title, at: [...place], size: [...size] }),
  )
  const titles: JsonObject = {}
  for (const [id, path] of paths) {
    const title = byId.get(id)?.title
    if (title !== undefined) titles[path] = title
  }
  const wires = wiresOfParked(drawing, off)
  return {
    at,
    look: { frames, titles },
    notes,
    parked: parked.map(({ node, why }) => ({
      kind: node.kind,
      config: node.config,
      ...(node.at === undefined ? {} : { at: [node.at.x, node.at.y] }),
      why,
      wires: wires.get(node.id) ?? [],
    })),
  }
}

/**
 * Wires that only `canvas` can hold, by the parked node they come from, otherwise by the one they lead to.
 */
function wiresOfParked({ wires, paths }: Drawing, off: ReadonlySet<string>): Map<string, JsonValue[]> {
  const result = new Map<string, JsonValue[]>()
  for (const wire of wires) {
    const holder = off.has(wire.from.node) ? wire.from.node : wire.to.node
    const from = paths.get(wire.from.node)
    const to = paths.get(wire.to.node)
    if (!off.has(holder) || from === undefined || to === undefined) continue
    addTo(result, holder, { from, to })
  }
  return result
}
