'use client'
/** The lower part of the agent's card: one pip a step, its instructions, and a row for each port. */
import { Position } from '@xyflow/react'
import { useRun } from '#components/trace/run-context'
import { kindOf } from '#lib/graph/kinds'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument, GraphNode } from '#lib/spec/graph'
import type { InPort, NodeKind } from '#lib/spec/kind'
import { defaultLimits } from '#lib/spec/policy'
import styles from './agent-face.module.css'
import { describeNode, toolsOf } from './describe'
import { portKey } from './flow'
import { useGraph } from './graph-context'
import { Port } from './port'

const mostPips = 20
/** Rows that stand even when nothing is wired to them. */
const lastingRows = ['model', 'tools']

export function AgentFace({ node, kind }: { node: GraphNode; kind: NodeKind }) {
  const instructions = typeof node.config.instructions === 'string' ? node.config.instructions : ''
  const rows = kind.in.filter((each) => each.accepts !== 'policy')
  return (
    <>
      <Pips />
      <div className={styles.say} data-empty={instructions === '' || undefined}>
        {instructions === '' ? 'No instructions yet.' : instructions}
      </div>
      <div className={styles.ports}>
        {rows.map((each) => (
          <PortRow key={each.name} node={node.id} port={each} />
        ))}
      </div>
    </>
  )
}

function PortRow({ node, port }: { node: string; port: InPort }) {
  const key = portKey(node, port.name)
  const isShown = useGraph(
    (state) =>
      lastingRows.includes(port.name) || state.wired.has(key) || (state.wiring?.ports.has(key) ?? false),
  )
  const drawn = useGraph((state) =>
    summaryOf({ graph: state.history.present, catalog: state.catalog, node, port: port.name }),
  )
  const offered = useRun((run) => (port.accepts === 'tool' ? offeredIn(run.state?.tools) : undefined))
  if (!isShown) return null
  const summary = offered ?? drawn
  return (
    <div className={styles.row}>
      <Port node={node} port={port.name} type={port.accepts} end="target" side={Position.Left} />
      {port.name}
      <span className={styles.value} data-none={summary === undefined || undefined}>
        {summary ?? (port.accepts === 'model' ? 'scripted demo, no AI' : 'none')}
      </span>
    </div>
  )
}

function offeredIn(
  tools: { offered: readonly unknown[]; withheld: readonly unknown[] } | undefined,
): string | undefined {
  if (tools === undefined) return undefined
  const offered = `${tools.offered.length} offered`
  return tools.withheld.length === 0 ? offered : `${offered}, ${tools.withheld.length} withheld`
}

function summaryOf({
  graph,
  catalog,
  node,
  port,
}: {
  graph: GraphDocument
  catalog: Catalog
  node: string
  port: string
}): string | undefined {
  const wired = new Set(
    graph.edges.flatMap(({ from, to }) => (to.node === node && to.port === port ? [from.node] : [])),
  )
  const sources = graph.nodes.filter((each) => wired.has(each.id) && !graph.parked.includes(each.id))
  if (sources.length === 0) return undefined
  const names = new Set<string>()
  let others = 0
  for (const each of sources) {
    const kind = kindOf(catalog, each.kind)
    const tools = kind === undefined ? [] : toolsOf(each, kind, catalog)
    for (const tool of tools) names.add(tool.name)
    if (tools.length === 0) others++
  }
  if (names.size > 0) return names.size + others === 1 ? '1 tool' : `${names.size + others} tools`
  const [first] = sources
  return first === undefined || sources.length > 1
    ? `${sources.length} wired`
    : describeNode(first, catalog).title
}

/** Steps done, the one now, and those left; more than fit are one bar. */
function Pips() {
  const drawn = useGraph((state) => stepsDrawn(state.history.present))
  const step = useRun((run) => run.state?.steps.at(-1)?.number ?? 0)
  const most = useRun((run) => run.state?.steps.at(-1)?.maxSteps)
  const isOver = useRun((run) => run.state?.finishedAt !== undefined)
  const max = most ?? drawn
  const label = step === 0 ? `At most ${max} steps` : `Step ${step} of ${max}`
  if (max > mostPips) {
    return (
      <div className={styles.pips} role="img" aria-label={label} title={label}>
        <i data-done="" style={{ flex: step }} />
        <i style={{ flex: Math.max(0, max - step) }} />
      </div>
    )
  }
  return (
    <div className={styles.pips} role="img" aria-label={label} title={label}>
      {Array.from({ length: max }, (_, at) => at + 1).map((each) => (
        <i
          key={each}
          data-done={each < step || (isOver && each <= step) || undefined}
          data-now={(!isOver && each === step) || undefined}
        />
      ))}
    </div>
  )
}

/** Before a run says it: the smallest `max` of the step limits drawn. The one kind the card knows by name, for the pips. */
function stepsDrawn(graph: GraphDocument): number {
  const limits = graph.nodes.flatMap(({ id, kind, config }) =>
    kind === 'policy:steps' && typeof config.max === 'number' && !graph.parked.includes(id)
      ? [config.max]
      : [],
  )
  const least = limits.length === 0 ? defaultLimits.maxSteps : Math.min(...limits)
  return Math.max(1, Math.round(least))
}
