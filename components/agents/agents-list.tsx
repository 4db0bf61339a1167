'use client'
/** The agents as cards, or as rows when there are many. */
import { type LastRuns, useCatalog } from '#components/data/agents'
import type { Catalog } from '#lib/spec/catalog'
import type { AgentSummary } from '#lib/wire/agents'
import { AgentCard } from './agent-card'
import { AgentTable } from './agent-table'
import styles from './agents-page.module.css'
import type { AgentView } from './find-agents'
import { RemovedStrip } from './removed-strip'
import type { AgentsTouched } from './use-agent-actions'

export interface AgentsListProps {
  readonly agents: readonly AgentSummary[]
  readonly touched: AgentsTouched
  readonly runs: LastRuns | undefined
  readonly catalog: Catalog | undefined
}

export function AgentsList({
  view,
  ...props
}: Omit<AgentsListProps, 'catalog'> & { readonly view: AgentView }) {
  const catalog = useCatalog()
  const List = view === 'list' ? AgentTable : Cards
  return <List {...props} catalog={catalog.data} />
}

function Cards({ agents, touched: { actions, removed, arrived, fault }, runs, catalog }: AgentsListProps) {
  return (
    <ul className={styles.cards}>
      {agents.map((each) =>
        removed.has(each.id) ? (
          <RemovedStrip key={each.id} agent={each} actions={actions} />
        ) : (
          <AgentCard
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
    </ul>
  )
}
