'use client'
/**
 * One agent as a card: a small picture of its drawing, its description, and how its last run went. A click
 * anywhere opens it.
 */
import Link from 'next/link'
import { useEffect, useRef } from 'react'
import { type LastRuns, useLastRun } from '#components/data/agents'
import { Spinner } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import { ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import type { Catalog } from '#lib/spec/catalog'
import { lineOf } from '#lib/spec/line'
import type { AgentSummary } from '#lib/wire/agents'
import type { RunSummary } from '#lib/wire/runs'
import styles from './agent-card.module.css'
import { CardTools } from './card-tools'
import { countsOf, lastRunWords } from './card-words'
import { labelOf } from './find-agents'
import { ThumbnailView } from './thumbnail-view'
import type { AgentActions, AgentFault } from './use-agent-actions'
import { VersionChip } from './version-chip'

export interface AgentCardProps {
  readonly agent: AgentSummary
  readonly catalog: Catalog | undefined
  readonly runs: LastRuns | undefined
  readonly actions: AgentActions
  readonly fault: AgentFault | null
  /** It was just added, so it is pointed out to the person who added it. */
  readonly isArrived: boolean
}

export function AgentCard({ agent, catalog, runs, actions, fault, isArrived }: AgentCardProps) {
  const lastRun = useLastRun(agent.id, runs)
  const title = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isArrived) title.current?.focus()
  }, [isArrived])
  return (
    <li className={styles.card} data-agent={agent.id}>
      <div className={styles.thumb}>
        {catalog !== undefined && <ThumbnailView digest={agent.digest} catalog={catalog} />}
      </div>
      <div className={styles.body}>
        <div className={shared.row}>
          <Link ref={title} href={`/agents/${encodeURIComponent(agent.id)}`} className={styles.title}>
            <Line text={labelOf(agent)} />
          </Link>
          <VersionChip agent={agent} catalog={catalog} />
        </div>
        <div className={styles.name}>
          <span className={shared.cut}>{agent.name}</span>
          <span className={styles.counts}>{countsOf(agent.digest)}</span>
        </div>
        <p className={styles.description} title={lineOf(agent.description, 1_000)}>
          <Line text={agent.description === '' ? 'No description.' : agent.description} limit={1_000} />
        </p>
      </div>
      <div className={styles.foot}>
        {agent.runnable ? <LastRun run={lastRun} /> : <NotRunnable why={agent.problem} />}
        <CardTools agent={agent} actions={actions} />
      </div>
      {fault !== null && (
        <div className={styles.fault}>
          <ErrorNote error={fault.error} advice={fault.what}>
            <Button size="s" variant="quiet" onClick={actions.forgetFault}>
              Dismiss
            </Button>
          </ErrorNote>
        </div>
      )}
    </li>
  )
}

interface LastRunProps {
  readonly run: RunSummary | null | undefined
  /** Without the time, which has a column of its own. */
  readonly isBrief?: boolean
}

export function LastRun({ run, isBrief = false }: LastRunProps) {
  if (run === undefined) return null
  if (run === null) return <span className={styles.state}>Not run yet</span>
  const { text, icon, tone } = lastRunWords(isBrief ? { ...run, finishedAt: null } : run, Date.now())
  return (
    <Link
      href={`/runs/${encodeURIComponent(run.id)}`}
      className={styles.state}
      data-tone={tone}
      title={lineOf(run.input, 1_000)}
    >
      {tone === 'work' ? <Spinner /> : <Icon name={icon} size={14} />}
      <span>{text}</span>
    </Link>
  )
}

export function NotRunnable({ why }: { why: string | undefined }) {
  return (
    <span className={styles.state} data-tone="error" title={why === undefined ? why : lineOf(why)}>
      <Icon name="circle-alert" size={14} />
      <span>Has errors and cannot run yet</span>
    </span>
  )
}
