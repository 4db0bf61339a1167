'use client'
/** Many agents as dense rows: name, model, tools, last run and its status. */
import Link from 'next/link'
import { useEffect, useRef } from 'react'
import { type LastRuns, useLastRun } from '#components/data/agents'
import { digestModel } from '#components/models/drawn'
import { shortName } from '#components/models/entry'
import { Button } from '#components/ui/button'
import { Line } from '#components/ui/line'
import { ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import { ago } from '#components/ui/when'
import type { Catalog } from '#lib/spec/catalog'
import type { AgentSummary } from '#lib/wire/agents'
import { type AgentCardProps, LastRun, NotRunnable } from './agent-card'
import styles from './agent-table.module.css'
import { CardTools } from './card-tools'
import { labelOf } from './find-agents'
import { RemovedStrip } from './removed-strip'
import type { AgentsTouched } from './use-agent-actions'
import { VersionChip } from './version-chip'

export interface AgentsListProps {
  readonly agents: readonly AgentSummary[]
  readonly touched: AgentsTouched
  readonly runs: LastRuns | undefined
  readonly catalog: Catalog | undefined
}

export function AgentTable({ agents, touched, catalog, runs }: AgentsListProps) {
  const { actions, removed, arrived, fault } = touched
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th>Name</th>
          <th data-more="">Model</th>
          <th className={styles.number} data-more="">
            Tools
          </th>
          <th data-more="">Last run</th>
          <th>Status</th>
          <th>
            <span className={shared.unseen}>Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {agents.map((each) =>
          removed.has(each.id) ? (
            <tr key={each.id}>
              <td colSpan={6}>
                <ul>
                  <RemovedStrip agent={each} actions={actions} />
                </ul>
              </td>
            </tr>
          ) : (
            <Row
              key={each.id}
              agent={each}
              catalog={catalog}
              runs={runs}
              actions={actions}
              fault={fault?.agentId === each.id ? fault : null}
              isArrived={arrived === each.id}
            />
          ),
        )}
      </tbody>
    </table>
  )
}

function Row({ agent, catalog, runs, actions, fault, isArrived }: AgentCardProps) {
  const lastRun = useLastRun(agent.id, runs)
  const title = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isArrived) title.current?.focus()
  }, [isArrived])
  const model = digestModel(agent.digest)
  return (
    <>
      <tr data-agent={agent.id}>
        <td>
          <span className={styles.name}>
            <Link ref={title} href={`/agents/${encodeURIComponent(agent.id)}`} className={styles.title}>
              <Line text={labelOf(agent)} />
            </Link>
            <VersionChip agent={agent} catalog={catalog} />
            <span className={styles.id}>{agent.name}</span>
          </span>
        </td>
        <td className={styles.plain} data-more="">
          {model === null ? '–' : shortName(model)}
        </td>
        <td className={styles.number} data-more="">
          {agent.digest.tools}
        </td>
        <td className={styles.plain} data-more="">
          {lastRun?.startedAt == null ? '–' : ago(lastRun.startedAt, Date.now())}
        </td>
        <td>{agent.runnable ? <LastRun run={lastRun} isBrief /> : <NotRunnable why={agent.problem} />}</td>
        <td>
          <CardTools agent={agent} actions={actions} />
        </td>
      </tr>
      {fault !== null && (
        <tr>
          <td colSpan={6}>
            <ErrorNote error={fault.error} advice={fault.what}>
              <Button size="s" variant="quiet" onClick={actions.forgetFault}>
                Dismiss
              </Button>
            </ErrorNote>
          </td>
        </tr>
      )}
    </>
  )
}
