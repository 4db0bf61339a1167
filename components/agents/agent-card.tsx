'use client'
/** One agent as a card: its drawing made small, what it is for, how its last run went. The whole card opens it. */
import Link from 'next/link'
import { toolsOf } from '#components/canvas/describe'
import { statusWords } from '#components/trace/status-words'
import { Chip, Spinner } from '#components/ui/bits'
import { Icon } from '#components/ui/icon'
import { kindOf } from '#lib/graph/kinds'
import type { AgentSummary } from '#lib/http/agents'
import type { RunSummary } from '#lib/http/runs'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument } from '#lib/spec/graph'
import styles from './agent-card.module.css'
import { AgentMenu } from './agent-menu'
import { ThumbnailView } from './thumbnail-view'
import { ago } from './when'

export interface AgentCardProps {
  agent: AgentSummary
  catalog: Catalog | undefined
  lastRun: RunSummary | undefined
}

export function AgentCard({ agent, catalog, lastRun }: AgentCardProps) {
  const title = agent.title === '' ? agent.name : agent.title
  return (
    <li className={styles.card}>
      <div className={styles.thumb}>
        {catalog !== undefined && <ThumbnailView graph={agent.graph} catalog={catalog} />}
      </div>
      <div className={styles.body}>
        <div className={styles.titleRow}>
          <Link href={`/agents/${encodeURIComponent(agent.id)}`} className={styles.title}>
            {title}
          </Link>
          {agent.version !== null && <Chip tone="line">v{agent.version}</Chip>}
          <AgentMenu agent={agent} title={title} />
        </div>
        <div className={styles.name}>{agent.name}</div>
        <p className={styles.description}>
          {agent.description === '' ? 'No description.' : agent.description}
        </p>
      </div>
      <div className={styles.foot}>
        {agent.runnable ? <LastRun run={lastRun} /> : <NotRunnable />}
        {catalog !== undefined && <span className={styles.counts}>{countsOf(agent.graph, catalog)}</span>}
      </div>
    </li>
  )
}

function LastRun({ run }: { run: RunSummary | undefined }) {
  if (run === undefined) return <span className={styles.state}>Not run yet</span>
  const { word, icon, tone } = statusWords[run.status]
  const text =
    tone === 'work'
      ? `${word}${run.steps > 0 ? `, step ${run.steps}` : ''}`
      : run.finishedAt === null
        ? word
        : `${word} ${ago(run.finishedAt, Date.now())}`
  return (
    <Link
      href={`/runs/${encodeURIComponent(run.id)}`}
      className={styles.state}
      data-tone={tone}
      title={run.input}
    >
      {tone === 'work' ? <Spinner /> : <Icon name={icon} size={14} />}
      <span>{text}</span>
    </Link>
  )
}

function NotRunnable() {
  return (
    <span className={styles.state} data-tone="error">
      <Icon name="circle-alert" size={14} />
      <span>Has errors, cannot run yet</span>
    </span>
  )
}

function countsOf(graph: GraphDocument, catalog: Catalog): string {
  const off = new Set(graph.parked)
  const wired = new Set(graph.edges.map((each) => each.from.node))
  let tools = 0
  let policies = 0
  for (const node of graph.nodes) {
    const kind = kindOf(catalog, node.kind)
    if (kind === undefined || off.has(node.id) || !wired.has(node.id)) continue
    if (kind.out === 'tool') tools += kind.scope?.list === undefined ? 1 : toolsOf(node, kind, catalog).length
    if (kind.out === 'policy') policies++
  }
  const parts = [
    tools === 1 ? '1 tool' : `${tools} tools`,
    ...(policies === 0 ? [] : [policies === 1 ? '1 policy' : `${policies} policies`]),
  ]
  return parts.join(', ')
}
