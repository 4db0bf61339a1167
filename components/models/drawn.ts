/**
 * The model and the tool call format of a drawing: reads them, and makes the edits that replace them. Pure.
 */
import { wiredNode } from '#lib/graph/digest'
import { addNode, type Edited, setConfig, setParked } from '#lib/graph/edit'
import type { Catalog } from '#lib/spec/catalog'
import { defaultFormat } from '#lib/spec/config'
import type { GraphDigest } from '#lib/spec/digest'
import type { GraphDocument, GraphNode } from '#lib/spec/graph'
import type { JsonObject } from '#lib/spec/json'
import { configOf, demoEntry, entryOf, type ModelEntry, switchBranch } from './entry'

/** The model node wired to the agent, switched off or not. */
export function modelNodeOf(graph: GraphDocument, catalog: Catalog): GraphNode | undefined {
  return wiredNode(graph, 'model', catalog)
}

/**
 * The model of an agent in a list, from the digest of its drawing; null while the wired node is incomplete.
 */
export function digestModel({ model }: GraphDigest): ModelEntry | null {
  return model === null ? demoEntry : entryOf(model)
}

/** The model that answers; null while the wired node is incomplete. */
export function drawnModel(graph: GraphDocument, catalog: Catalog): ModelEntry | null {
  const node = modelNodeOf(graph, catalog)
  if (node === undefined || graph.parked.includes(node.id)) return demoEntry
  return entryOf(node.config)
}

/** The drawing with another model: its model node is changed, switched on, or added and wired. */
export function withModel(graph: GraphDocument, entry: ModelEntry, catalog: Catalog): Edited {
  const kind = catalog.kinds.find((each) => each.out === 'model')
  if (kind === undefined) return { graph, notes: ['This server has no models.'], added: [] }
  const node = modelNodeOf(graph, catalog)
  if (node === undefined)
    return addNode(graph, { kind: kind.kind, config: configOf(entry), wire: true }, catalog)
  const config: JsonObject = switchBranch(node.config, configOf(entry), kind.schema)
  const on = setParked(graph, [node.id], false, catalog).graph
  return setConfig(on, node.id, config, catalog)
}

/** The protocol node wired to the agent, switched off or not. */
export function formatNodeOf(graph: GraphDocument, catalog: Catalog): GraphNode | undefined {
  return wiredNode(graph, 'protocol', catalog)
}

/** The tool call format of the agent. */
export function drawnFormat(graph: GraphDocument, catalog: Catalog): string {
  const node = formatNodeOf(graph, catalog)
  const format = node === undefined || graph.parked.includes(node.id) ? undefined : node.config.format
  return typeof format === 'string' ? format : defaultFormat
}

export interface Formatted {
  readonly format: string
  /** The position of an added node. */
  readonly at?: { readonly x: number; readonly y: number }
}

/**
 * The drawing with another format: its protocol node is changed, switched on, or added and wired. Of the
 * old settings only `locale` is kept, and not for the default format.
 */
export function withFormat(graph: GraphDocument, { format, at }: Formatted, catalog: Catalog): Edited {
  const node = formatNodeOf(graph, catalog)
  if (node === undefined)
    return addNode(graph, { kind: 'protocol', config: { format }, wire: true, ...(at && { at }) }, catalog)
  const { locale } = node.config
  const kept: JsonObject = locale === undefined || format === defaultFormat ? {} : { locale }
  const on = setParked(graph, [node.id], false, catalog).graph
  return setConfig(on, node.id, { format, ...kept }, catalog)
}
