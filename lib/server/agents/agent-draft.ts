/** Drawings on their way into the store, normalized and compiled, and the view of an agent. */
import { canonicalForHash } from '#lib/graph/canonical'
import { normalize } from '#lib/graph/normalize'
import type { Catalog } from '#lib/spec/catalog'
import type { Parts } from '#lib/spec/config'
import type { Diagnostic } from '#lib/spec/errors'
import { emptyGraph, type GraphDocument } from '#lib/spec/graph'
import type { JsonValue } from '#lib/spec/json'
import type { AgentRow, AgentStore } from '#lib/spec/store'
import type { AgentView, SaveAgent } from '#lib/wire/agents'
import { sha256 } from '../runs/run-config'
import type { CheckedDrawing, Compiling } from './compiling'

export interface AgentsContext {
  readonly store: AgentStore
  readonly catalog: Catalog
  /** Default: the parts of the product. */
  readonly parts?: Parts
  readonly compiling: Compiling
  readonly clock: { now(): number }
}

/** A normalized drawing with its compiled form. */
export interface Draft {
  readonly graph: GraphDocument
  readonly compiled: CheckedDrawing
  /** Problems found while the drawing was made: entries of an imported canvas that did not fit. */
  readonly found: readonly Diagnostic[]
}

export function draftOf(
  context: AgentsContext,
  { graph, config }: Pick<SaveAgent, 'graph' | 'config'>,
): Draft {
  if (config !== undefined) return draftOfConfig(context, config)
  return draftOfGraph(context, graph ?? emptyGraph)
}

export function draftOfGraph(
  context: AgentsContext,
  graph: GraphDocument,
  found: readonly Diagnostic[] = [],
): Draft {
  const normal = normalize(graph, context.catalog).graph
  return { graph: normal, compiled: context.compiling.compile(normal), found }
}

export function draftOfConfig(context: AgentsContext, value: JsonValue): Draft {
  const { graph, diagnostics } = context.compiling.decompile(value)
  return draftOfGraph(context, graph, diagnostics)
}

export function columnsOf({ catalog }: AgentsContext, { graph, compiled }: Draft) {
  const { config, text, origins } = compiled
  const agent = graph.nodes.find((node) => node.kind === 'agent')?.config ?? {}
  const words = (value: JsonValue | undefined) => (typeof value === 'string' ? value.slice(0, 1_024) : '')
  return {
    title: words(agent.title),
    description: words(agent.description),
    graph,
    config: text,
    configHash: config === null ? null : sha256(canonicalForHash(config, catalog.schema)),
    origins,
  }
}

export function viewOf({ compiling }: AgentsContext, row: AgentRow): AgentView {
  return toView(row, { graph: row.graph, compiled: compiling.compile(row.graph), found: [] })
}

export function toView({ id, name, revision }: AgentRow, { graph, compiled, found }: Draft): AgentView {
  const { config, diagnostics, origins } = compiled
  return { id, name, graph, config, diagnostics: [...found, ...diagnostics], origins, revision }
}
