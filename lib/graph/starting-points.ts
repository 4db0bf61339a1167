/** Starting points: a few settings of an agent set together, through ordinary edits of the deciding nodes. */
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument, GraphNode } from '#lib/spec/graph'
import type { JsonValue } from '#lib/spec/json'
import { type Drawing, readDrawing } from './drawing'
import { type Edited, leaveUnchanged } from './edit/edited'
import { addNode, patchConfig, setParked } from './edit/nodes'
import { demoModel } from './fixes/nodes'
import { formOf } from './form'
import { kindOf, nameOf } from './kinds'

export interface StartingPoint {
  readonly id: 'basic' | 'performance' | 'debug'
  readonly label: string
  /** A summary of its settings in one line. */
  readonly says: string
  readonly steps: number
  readonly strategy: 'sequential' | 'parallel'
  /** Absent when the model's own setting is kept. */
  readonly stream?: boolean
}

export const startingPoints: readonly StartingPoint[] = [
  {
    id: 'basic',
    label: 'Basic',
    says: '10 steps, calls one after another, answers come whole',
    steps: 10,
    strategy: 'sequential',
    stream: false,
  },
  {
    id: 'performance',
    label: 'Performance',
    says: '20 steps, calls side by side, answers stream',
    steps: 20,
    strategy: 'parallel',
    stream: true,
  },
  {
    id: 'debug',
    label: 'Debug',
    says: '3 steps, calls one after another',
    steps: 3,
    strategy: 'sequential',
  },
]

/** Whether a run of the drawing has these settings, through its nodes or by default. */
export function holds(graph: GraphDocument, start: StartingPoint, catalog: Catalog): boolean {
  const drawing = readDrawing(graph, catalog)
  if (drawing.agents.length === 0) return false
  return settingsOf(start).every((each) => {
    const value = valueIn(drawing, each)
    return value === undefined || value === each.value
  })
}

/**
 * Sets what differs: on the node that decides it, on a wired node that is switched off, or on a new, wired
 * node. Settings that already apply, even by default, stay unchanged.
 */
export function withStart(graph: GraphDocument, start: StartingPoint, catalog: Catalog): Edited {
  const wanted = settingsOf(start).filter((each) => kindOf(catalog, each.kind) !== undefined)
  const notes: string[] = []
  const added: string[] = []
  let now = graph
  for (const each of wanted) {
    const done = withSetting(now, each, catalog)
    now = done.graph
    notes.push(...done.notes)
    added.push(...done.added)
  }
  return { graph: now, notes, added }
}

/** One setting, and the kind of the nodes that can decide it. */
interface Setting {
  readonly kind: string
  readonly key: string
  readonly value: JsonValue
  /** Which of several nodes decides: the one with the smallest number, or the last. */
  readonly decides: 'smallest' | 'last'
  /** Further settings of a node that is added for it. */
  readonly config?: GraphNode['config']
}

function settingsOf({ steps, strategy, stream }: StartingPoint): Setting[] {
  return [
    { kind: 'policy:steps', key: 'max', value: steps, decides: 'smallest' },
    { kind: 'policy:execution', key: 'strategy', value: strategy, decides: 'last' },
    ...(stream === undefined
      ? []
      : [{ kind: 'model', key: 'stream', value: stream, decides: 'last', config: demoModel } as const]),
  ]
}

function withSetting(graph: GraphDocument, setting: Setting, catalog: Catalog): Edited {
  const drawing = readDrawing(graph, catalog)
  const { key, value } = setting
  if (drawing.agents.length === 0 || valueIn(drawing, setting) === value) return leaveUnchanged(graph)
  const live = liveOf(drawing, setting)
  const [decider] = live
  if (decider === undefined) return withNode(graph, setting, drawing)
  if (settingOf(decider, setting, catalog) === undefined)
    return leaveUnchanged(graph, `${nameOf(catalog, decider)} has no such setting: “${key}” stays as it is.`)
  // Otherwise a smaller number elsewhere would decide.
  const others = live.filter((each) => {
    const own = settingOf(each, setting, catalog)
    return (
      setting.decides === 'smallest' && each !== decider && typeof own === 'number' && own < Number(value)
    )
  })
  return [decider, ...others].reduce<Edited>(
    (done, each) => patchConfig(done.graph, each.id, { [key]: value }, catalog),
    leaveUnchanged(graph),
  )
}

/** Sets it on a wired node that is switched off, otherwise on a new one. */
function withNode(
  graph: GraphDocument,
  { kind, key, value, config }: Setting,
  { wires, catalog, agents }: Drawing,
): Edited {
  const agent = agents[0]?.id
  const wired = new Set(wires.flatMap(({ from, to }) => (to.node === agent ? [from.node] : [])))
  const spare =
    config === undefined ? graph.nodes.find((each) => each.kind === kind && wired.has(each.id)) : undefined
  if (spare === undefined)
    return addNode(graph, { kind, config: { ...config, [key]: value }, wire: true }, catalog)
  const on = setParked(graph, [spare.id], false, catalog)
  return patchConfig(on.graph, spare.id, { [key]: value }, catalog)
}

/** The nodes that can decide, the deciding one first. */
function liveOf({ graph, live, catalog }: Drawing, setting: Setting): GraphNode[] {
  const nodes = graph.nodes.filter((each) => each.kind === setting.kind && live.has(each.id))
  if (setting.decides === 'last') return nodes.toReversed()
  const number = (node: GraphNode) => Number(settingOf(node, setting, catalog))
  return nodes.toSorted((a, b) => number(a) - number(b))
}

/** The value that applies; undefined when it is unknown. */
function valueIn(drawing: Drawing, setting: Setting): JsonValue | undefined {
  const [decider] = liveOf(drawing, setting)
  const { kind, config = {} } = setting
  return settingOf(decider ?? { id: '', kind, config }, setting, drawing.catalog)
}

/** The node's value, or the default when it sets none; undefined when it has no such setting. */
function settingOf(node: GraphNode, { key }: Setting, catalog: Catalog): JsonValue | undefined {
  const schema = kindOf(catalog, node.kind)?.schema
  const own = schema && formOf(schema, schema, node.config)?.properties?.[key]
  if (own === undefined) return undefined
  return node.config[key] ?? (own.default as JsonValue | undefined) // cast: a default of a JSON Schema is JSON
}
