'use client'
/** What the pages about one agent have in common: their head, and what they show while there is no agent. */
import type { ReactNode } from 'react'
import { Loading } from '#components/ui/bits'
import { ButtonLink } from '#components/ui/button'
import { Line } from '#components/ui/line'
import { Empty, ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import { usePageTitle } from '#components/ui/use-page-title'
import type { AgentSummary } from '#lib/wire/agents'
import styles from './agent-page.module.css'
import { useAgents } from './agents'

interface HeadProps {
  /** The agent's title. */
  readonly title: string
  /** What the page shows of the agent, as in “Memory”. */
  readonly page: string
  /** Where the agent is drawn; absent for one that was deleted. */
  readonly builder?: string
  /** Controls before the way to the builder. */
  readonly children?: ReactNode
}

export function AgentHead({ title, page, builder, children }: HeadProps) {
  return (
    <header className={styles.head}>
      <h1 className={shared.pageTitle}>
        <Line text={title} />
      </h1>
      <span className={shared.quiet}>{page}</span>
      <span className={styles.actions}>
        {children}
        {builder !== undefined && (
          <ButtonLink variant="plain" href={builder}>
            Open in builder
          </ButtonLink>
        )}
      </span>
    </header>
  )
}

export function NoAgent() {
  return (
    <Empty icon="bot" title="There is no such agent; it may have been deleted.">
      <ButtonLink variant="plain" href="/">
        All agents
      </ButtonLink>
    </Empty>
  )
}

interface PageProps {
  readonly agentId: string
  /** What the page shows of the agent, as in “Memory”. */
  readonly page: string
  /** The title of the browser's tab. */
  titleOf(agent: string): string
  /** What a person should know of the page, under its head. */
  readonly lead: ReactNode
  children(agent: AgentSummary): ReactNode
}

/** A page that scrolls as a whole, once its agent is known. */
export function AgentPage({ agentId, page, titleOf, lead, children }: PageProps) {
  const agents = useAgents()
  const agent = agents.data?.items.find(({ id }) => id === agentId)
  const title = agent === undefined ? '' : agent.title || agent.name
  usePageTitle(agent === undefined ? page : titleOf(title))
  return (
    <main className={shared.page}>
      <div className={shared.pageList}>
        {agents.isPending && <Loading what="the agent" heights={[32, 96, 240]} className={styles.loading} />}
        {agents.isError && agents.data === undefined && (
          <ErrorNote error={agents.error} onRetry={() => void agents.refetch()} />
        )}
        {agents.data !== undefined && agent === undefined && <NoAgent />}
        {agent !== undefined && (
          <>
            <AgentHead title={title} page={page} builder={builderHref(agentId)} />
            <p className={styles.lead}>{lead}</p>
            {children(agent)}
          </>
        )}
      </div>
    </main>
  )
}

/** Where an agent is drawn. */
export const builderHref = (agentId: string) => `/agents/${encodeURIComponent(agentId)}`
