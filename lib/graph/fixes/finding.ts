/** A finding together with its drawing, which is read once for all findings. */
import type { Catalog } from '#lib/spec/catalog'
import type { Diagnostic } from '#lib/spec/errors'
import type { GraphDocument, GraphNode } from '#lib/spec/graph'
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import type { NodeKind } from '#lib/spec/kind'
import { type Drawing, readDrawing } from '../drawing'
import { isAgent, kindOf } from '../kinds'

export interface FixableFinding {
  readonly diagnostic: Diagnostic
  readonly drawing: Drawing
  readonly graph: GraphDocument
  readonly catalog: Catalog
  readonly node: GraphNode | undefined
  readonly kind: NodeKind | undefined
  readonly agent: GraphNode | undefined
  /** The path inside the node's config, as steps; empty for the whole config. */
  readonly steps: readonly string[]
}

const drawings = new WeakMap<GraphDocument, { catalog: Catalog; drawing: Drawing }>()

export function findingOf(diagnostic: Diagnostic, graph: GraphDocument, catalog: Catalog): FixableFinding {
  const known = drawings.get(graph)
  const drawing = known?.catalog === catalog ? known.drawing : readDrawing(graph, catalog)
  if (known?.drawing !== drawing) drawings.set(graph, { catalog, drawing })
  const node = diagnostic.node === undefined ? undefined : drawing.byId.get(diagnostic.node)
  const kind = node && kindOf(catalog, node.kind)
  const base = node === undefined || isAgent(kind) ? '' : (drawing.paths.get(node.id) ?? '')
  return {
    diagnostic,
    drawing,
    graph,
    catalog,
    node,
    kind,
    agent: drawing.agents[0],
    steps: stepsIn(diagnostic.path ?? '', base),
  }
}

function stepsIn(path: string, base: string): string[] {
  const inside = base === '' ? path : path.startsWith(`${base}/`) ? path.slice(base.length + 1) : ''
  return inside === '' ? [] : inside.split('/')
}

export function valueAt(value: JsonValue | undefined, steps: readonly string[]): JsonValue | undefined {
  let at = value
  for (const step of steps) {
    if (Array.isArray(at)) at = at[Number(step)]
    else at = isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined
  }
  return at
}

/** The config with another value at a path; undefined removes the value. */
export function withValue(
  config: JsonObject,
  steps: readonly string[],
  value: JsonValue | undefined,
): JsonObject {
  const changed = put(config, steps, value)
  return isObject(changed) ? changed : config
}

function put(
  at: JsonValue | undefined,
  [step, ...rest]: readonly string[],
  value: JsonValue | undefined,
): JsonValue | undefined {
  if (step === undefined) return value
  if (Array.isArray(at)) {
    const index = Number(step)
    const inner = put(at[index], rest, value)
    return inner === undefined ? at.filter((_, each) => each !== index) : at.with(index, inner)
  }
  const known = isObject(at) ? at : {}
  const inner = put(known[step], rest, value)
  const { [step]: _gone, ...others } = known
  if (inner === undefined) return others
  // A key keeps its position.
  return { ...known, [step]: inner }
}
