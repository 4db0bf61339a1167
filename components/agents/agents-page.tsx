'use client'
/** The agents of this server: find, open, create, import, duplicate, delete and restore. */
import { useRouter } from 'next/navigation'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { Command } from '#components/commands/commands'
import { useCommands } from '#components/commands/commands-context'
import { useAgents, useCatalog, useLastRuns } from '#components/data/agents'
import { ModelNotice } from '#components/models/model-notice'
import { Kbd, Skeleton } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { TextField } from '#components/ui/field'
import { Empty, ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import { useRemembered } from '#components/ui/use-remembered'
import type { AgentSummary } from '#lib/wire/agents'
import { AgentCard } from './agent-card'
import { agentCommands } from './agents-commands'
import styles from './agents-page.module.css'
import { findAgents, readOrder } from './find-agents'
import { ImportReport } from './import-report'
import { DropOverlay, ImportTile } from './import-tile'
import { RemovedStrip } from './removed-strip'
import { Templates } from './templates'
import { type AgentsTouched, useAgentActions } from './use-agent-actions'
import { type Importing, useImport } from './use-import'
import { useNewAgent } from './use-new-agent'

export function AgentsPage() {
  const agents = useAgents()
  const [query, setQuery] = useState('')
  const [remembered, keepOrder] = useRemembered('agents-order')
  const search = useRef<HTMLDivElement>(null)
  const importing = useImport()
  const touched = useAgentActions()
  const fresh = useNewAgent()
  const order = readOrder(remembered)
  const items = agents.data?.items
  const listed = useMemo(() => withRemoved(items, touched.removed), [items, touched.removed])
  const found = useMemo(() => listed && findAgents(listed, query, order), [listed, query, order])
  usePageCommands({ search, importing, touched, make: fresh.make, agents: items })
  const isNone = listed?.length === 0
  return (
    <main className={shared.page}>
      {importing.isOver && <DropOverlay />}
      <div className={shared.pageList}>
        <header className={styles.head}>
          <h1 className={shared.pageTitle}>Agents</h1>
          {items !== undefined && !isNone && <span className={styles.count}>{items.length}</span>}
          <div ref={search} className={styles.search}>
            {!isNone && (
              <TextField
                value={query}
                onChange={setQuery}
                icon="search"
                placeholder="Find an agent"
                aria-label="Find an agent"
                end={<Kbd>/</Kbd>}
                onKeyDown={(event) => event.key === 'Escape' && setQuery('')}
              />
            )}
          </div>
          {!isNone && (
            <Button
              icon="arrow-down-up"
              title={order === 'name' ? 'Show the last changed first' : 'Sort by name'}
              aria-label={`Sorted by ${order === 'name' ? 'name' : 'last changed'}`}
              onClick={() => keepOrder(order === 'name' ? 'changed' : 'name')}
            >
              {order === 'name' ? 'Name' : 'Last changed'}
            </Button>
          )}
          <Button icon="upload" onClick={importing.choose}>
            Import
          </Button>
          <Button variant="primary" icon="plus" onClick={fresh.make} disabled={fresh.isMaking}>
            New agent <Kbd>N</Kbd>
          </Button>
        </header>
        <ModelNotice />
        {fresh.error !== null && <ErrorNote error={fresh.error} />}
        <ImportReport importing={importing} />
        {agents.isError && (
          <ErrorNote error={agents.error}>
            <Button size="s" onClick={() => void agents.refetch()}>
              Try again
            </Button>
          </ErrorNote>
        )}
        {agents.isPending && <Loading />}
        {isNone ? (
          <>
            <Empty
              icon="bot"
              title="There is no agent here yet. Begin with a template, or with an empty one."
            >
              <Button icon="plus" onClick={fresh.make} disabled={fresh.isMaking}>
                Make an empty agent
              </Button>
            </Empty>
            <Templates />
            <ul className={styles.cards} data-alone="">
              <ImportTile importing={importing} />
            </ul>
          </>
        ) : (
          found !== undefined && (
            <>
              {found.length === 0 ? (
                <Empty icon="search" title={`No agent has “${query}” in its name or description.`}>
                  <Button onClick={() => setQuery('')}>Show all</Button>
                </Empty>
              ) : (
                <Cards agents={found} touched={touched} importing={importing} />
              )}
              <Templates />
            </>
          )
        )}
      </div>
    </main>
  )
}

interface CardsProps {
  readonly agents: readonly AgentSummary[]
  readonly touched: AgentsTouched
  readonly importing: Importing
}

function Cards({ agents, touched: { actions, removed, arrived, fault }, importing }: CardsProps) {
  const catalog = useCatalog()
  const runs = useLastRuns()
  return (
    <ul className={styles.cards}>
      {agents.map((each) =>
        removed.has(each.id) ? (
          <RemovedStrip key={each.id} agent={each} actions={actions} />
        ) : (
          <AgentCard
            key={each.id}
            agent={each}
            catalog={catalog.data}
            runs={runs.data}
            actions={actions}
            fault={fault?.agentId === each.id ? fault : null}
            isArrived={arrived === each.id}
          />
        ),
      )}
      <ImportTile importing={importing} />
    </ul>
  )
}

function Loading() {
  return (
    <div className={styles.cards} role="status" aria-label="Loading the agents">
      {['a', 'b', 'c'].map((each) => (
        <Skeleton key={each} height={238} />
      ))}
    </div>
  )
}

/** Agents deleted a moment ago stay in the list, so that their strip keeps the card's position. */
function withRemoved(
  items: readonly AgentSummary[] | undefined,
  removed: ReadonlyMap<string, AgentSummary>,
): readonly AgentSummary[] | undefined {
  if (items === undefined || removed.size === 0) return items
  return [...items.filter((each) => !removed.has(each.id)), ...removed.values()]
}

interface PageParts {
  readonly search: RefObject<HTMLElement | null>
  readonly importing: Importing
  readonly touched: AgentsTouched
  readonly agents: readonly AgentSummary[] | undefined
  make(): void
}

function usePageCommands({ search, importing: { choose }, touched, agents, make }: PageParts): void {
  const router = useRouter()
  const latest = useRef({ touched, agents, make })
  useEffect(() => {
    latest.current = { touched, agents, make }
  })
  const commands = useMemo<readonly Command[]>(
    () =>
      agentCommands({
        find: () => search.current?.querySelector('input')?.focus(),
        make: () => latest.current.make(),
        choose,
        go: (href) => router.push(href),
        touched: () => latest.current.touched,
        agents: () => latest.current.agents ?? [],
      }),
    [search, choose, router],
  )
  useCommands(commands)
}
