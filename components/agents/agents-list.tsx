'use client'
/** The agents as cards, or as rows when there are many. */
import { useCatalog } from '#components/data/agents'
import { AgentCard } from './agent-card'
import { type AgentsListProps, AgentTable } from './agent-table'
import styles from './agents-page.module.css'
import type { ListView } from './find-agents'
import { RemovedStrip } from './removed-strip'

export function AgentsList({
  view,
  ...props
}: Omit<AgentsListProps, 'catalog'> & { readonly view: ListView }) {
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
