'use client'
/** The agents of this server: find, open, create, import, duplicate, delete and restore. */
import { useRouter } from 'next/navigation'
import { type RefObject, useMemo, useRef, useState } from 'react'
import type { Command } from '#components/commands/commands'
import { useCommands } from '#components/commands/commands-context'
import { useAgents, useLastRuns } from '#components/data/agents'
import { ModelNotice } from '#components/models/model-notice'
import { Kbd, Loading } from '#components/ui/bits'
import { Button, IconButton } from '#components/ui/button'
import { TextField } from '#components/ui/field'
import { Empty, ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import { useLatest } from '#components/ui/use-latest'
import { useRemembered } from '#components/ui/use-remembered'
import type { AgentSummary } from '#lib/wire/agents'
import { agentCommands } from './agents-commands'
import { AgentsList } from './agents-list'
import styles from './agents-page.module.css'
import { findAgents, manyAgents, readOrder, readView } from './find-agents'
import { DropOverlay } from './import-dialogs'
import { ImportReport } from './import-report'
import { NewAgentButton } from './new-agent-button'
import { Templates } from './templates'
import { type AgentsTouched, useAgentActions } from './use-agent-actions'
import { type Importing, useImport } from './use-import'
import { useNewAgent } from './use-new-agent'
import { Welcome } from './welcome'

export function AgentsPage() {
  const agents = useAgents()
  const [query, setQuery] = useState('')
  const [remembered, keepOrder] = useRemembered('agents-order')
  const [rememberedView, keepView] = useRemembered('agents-view')
  const runs = useLastRuns()
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
  const isWelcome = items !== undefined && runs.data?.byAgent.size === 0
  const view = readView(rememberedView, listed?.length ?? 0)
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
          {!isNone && (
            <IconButton
              icon={view === 'list' ? 'layout-grid' : 'table'}
              label={view === 'list' ? 'Show cards' : 'Show a list'}
              onClick={() => keepView(view === 'list' ? 'cards' : 'list')}
            />
          )}
          <Button
            icon="upload"
            title="Choose agent files, or drop them anywhere on this page"
            disabled={importing.isBusy}
            onClick={importing.choose}
          >
            Import
          </Button>
          <NewAgentButton fresh={fresh} importing={importing} isFirst={!isWelcome || isNone} />
        </header>
        {isWelcome && <Welcome agents={items ?? []} />}
        <ModelNotice />
        {fresh.error !== null && <ErrorNote error={fresh.error} />}
        <ImportReport importing={importing} />
        {agents.isError && <ErrorNote error={agents.error} onRetry={() => void agents.refetch()} />}
        {agents.isPending && <Loading what="the agents" heights={[238, 238, 238]} className={styles.cards} />}
        {isNone && (
          <Empty icon="bot" title="There are no agents yet. Start with a template, or with an empty agent.">
            <Button icon="plus" onClick={fresh.make} disabled={fresh.isMaking}>
              New agent
            </Button>
          </Empty>
        )}
        {!isNone && found?.length === 0 && (
          <Empty icon="search" title={`No agent has “${query}” in its name or description.`}>
            <Button onClick={() => setQuery('')}>Show all</Button>
          </Empty>
        )}
        {!isNone && found !== undefined && found.length > 0 && (
          <AgentsList view={view} agents={found} touched={touched} runs={runs.data} />
        )}
        {listed !== undefined && listed.length < manyAgents && <Templates />}
      </div>
    </main>
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
  const latest = useLatest({ touched, agents, make })
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
