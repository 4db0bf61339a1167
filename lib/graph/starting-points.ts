/** Starting points: a few settings of an agent set at once, as ordinary edits of the nodes that decide them. */
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
  /** What it sets, as one line. */
  readonly says: string
  readonly steps: number
  readonly strategy: 'sequential' | 'parallel'
  /** Absent where the model's own setting stays. */
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

/** Whether a run of the drawing keeps to it, by what is drawn or by default. */
export function holds(graph: GraphDocument, start: StartingPoint, catalog: Catalog): boolean {
  const drawing = readDrawing(graph, catalog)
  if (drawing.agents.length === 0) return false
  return settingsOf(start).every((each) => {
    const value = valueIn(drawing, each)
    return value === undefined || value === each.value
  })
}

/**
 * Sets what differs: on the node that decides it, on one that is wired but switched off, or on one that is added and
 * wired. What holds already, by default too, is left as it is.
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

/** One setting, and the kind of the nodes that decide it. */
interface Setting {
  readonly kind: string
  readonly key: string
  readonly value: JsonValue
  /** Of several: the smallest number, or the last node. */
  readonly decides: 'smallest' | 'last'
  /** What a node that is made for it says besides. */
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
  // A smaller number elsewhere would decide in its place.
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

/** On a node that is wired and switched off, else on a new one. */
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

/** The nodes that have a say, the one that decides first. */
function liveOf({ graph, live, catalog }: Drawing, setting: Setting): GraphNode[] {
  const nodes = graph.nodes.filter((each) => each.kind === setting.kind && live.has(each.id))
  if (setting.decides === 'last') return nodes.toReversed()
  const number = (node: GraphNode) => Number(settingOf(node, setting, catalog))
  return nodes.toSorted((a, b) => number(a) - number(b))
}

/** What holds; undefined where nobody says and nothing is known. */
function valueIn(drawing: Drawing, setting: Setting): JsonValue | undefined {
  const [decider] = liveOf(drawing, setting)
  const { kind, config = {} } = setting
  return settingOf(decider ?? { id: '', kind, config }, setting, drawing.catalog)
}

/** What the node says, or means by saying nothing; undefined where it has no such setting. */
function settingOf(node: GraphNode, { key }: Setting, catalog: Catalog): JsonValue | undefined {
  const schema = kindOf(catalog, node.kind)?.schema
  const own = schema && formOf(schema, schema, node.config)?.properties?.[key]
  if (own === undefined) return undefined
  return node.config[key] ?? (own.default as JsonValue | undefined) // cast: a default of a JSON Schema is JSON
}
