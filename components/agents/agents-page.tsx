'use client'
/** The agents of this server: find, open, make, import, duplicate, delete. */
import { useMemo, useRef, useState } from 'react'
import { Kbd, Skeleton } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { TextField } from '#components/ui/field'
import { Empty, ErrorNote } from '#components/ui/notice'
import type { AgentSummary } from '#lib/http/agents'
import { AgentCard } from './agent-card'
import styles from './agents-page.module.css'
import { ImportTile } from './import-tile'
import { ModelNotice } from './model-notice'
import { useAgents, useCatalog, useLastRuns } from './queries'
import { useHotkey } from './use-hotkey'
import { useImport } from './use-import'
import { useNewAgent } from './use-new-agent'

export function AgentsPage() {
  const agents = useAgents()
  const [query, setQuery] = useState('')
  const search = useRef<HTMLDivElement>(null)
  const importing = useImport()
  const fresh = useNewAgent()
  useHotkey('/', () => search.current?.querySelector('input')?.focus())
  useHotkey('n', fresh.make)
  const items = agents.data?.items
  const found = useMemo(() => (items === undefined ? undefined : searched(items, query)), [items, query])
  return (
    <main className={styles.page} {...importing.drop} data-over={importing.isOver || undefined}>
      <div className={styles.wrap}>
        <header className={styles.head}>
          <h1>Agents</h1>
          {items !== undefined && <span className={styles.count}>{items.length}</span>}
          <div ref={search} className={styles.search}>
            <TextField
              value={query}
              onChange={setQuery}
              icon="search"
              placeholder="Find an agent"
              aria-label="Find an agent"
              end={<Kbd>/</Kbd>}
            />
          </div>
          <Button icon="upload" onClick={importing.choose}>
            Import
          </Button>
          <Button variant="primary" icon="plus" onClick={fresh.make} disabled={fresh.isMaking}>
            New agent <Kbd>N</Kbd>
          </Button>
        </header>
        <ModelNotice />
        {fresh.error !== null && <ErrorNote error={fresh.error} />}
        {agents.isError && (
          <ErrorNote error={agents.error}>
            <Button size="s" onClick={() => void agents.refetch()}>
              Try again
            </Button>
          </ErrorNote>
        )}
        {agents.isPending && <Loading />}
        {found !== undefined && found.length > 0 && <Cards agents={found} />}
        {items?.length === 0 && (
          <Empty icon="bot" title="There is no agent here yet.">
            <Button icon="plus" onClick={fresh.make} disabled={fresh.isMaking}>
              Make the first one
            </Button>
          </Empty>
        )}
        {found?.length === 0 && items?.length !== 0 && (
          <Empty icon="search" title={`No agent is called “${query}”.`}>
            <Button onClick={() => setQuery('')}>Show all</Button>
          </Empty>
        )}
        <ImportTile importing={importing} />
        <p className={styles.plain}>
          Agents whose model is the scripted demo need no key. It follows plain rules and is no AI; the tools
          it calls are real.
        </p>
      </div>
    </main>
  )
}

function Cards({ agents }: { agents: readonly AgentSummary[] }) {
  const catalog = useCatalog()
  const runs = useLastRuns()
  return (
    <ul className={styles.cards}>
      {agents.map((each) => (
        <AgentCard key={each.id} agent={each} catalog={catalog.data} lastRun={runs.data?.get(each.id)} />
      ))}
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

function searched(agents: readonly AgentSummary[], query: string): AgentSummary[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const newest = [...agents].sort((a, b) => b.updatedAt - a.updatedAt)
  return newest.filter((each) =>
    words.every((word) => `${each.name} ${each.title} ${each.description}`.toLowerCase().includes(word)),
  )
}
