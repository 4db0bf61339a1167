'use client'
/** Lets other programs and people use one agent: its keys, and what to enter where. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useState } from 'react'
import { useAgents } from '#components/data/agents'
import { api } from '#components/data/client'
import { Loading } from '#components/ui/bits'
import { ButtonLink } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import { Empty, ErrorNote } from '#components/ui/notice'
import { Section } from '#components/ui/section'
import shared from '#components/ui/shared.module.css'
import { usePageTitle } from '#components/ui/use-page-title'
import type { AgentSummary } from '#lib/wire/agents'
import styles from './connect.module.css'
import { HowTo } from './how-to'
import { Keys } from './keys'
import { NewKeyCard } from './new-key-card'
import { type FreshKey, useKeys } from './use-keys'

export function ConnectPage({ agentId }: { agentId: string }) {
  const agents = useAgents()
  const agent = agents.data?.items.find(({ id }) => id === agentId)
  usePageTitle(agent === undefined ? 'Connect' : `Connect ${agent.title || agent.name}`)
  return (
    <main className={shared.page}>
      <div className={shared.pageList}>
        {agents.isPending && <Loading what="the agent" heights={[32, 96, 240]} className={styles.loading} />}
        {agents.isError && agents.data === undefined && (
          <ErrorNote error={agents.error} onRetry={() => void agents.refetch()} />
        )}
        {agents.data !== undefined && agent === undefined && (
          <Empty icon="bot" title="There is no such agent; it may have been deleted.">
            <ButtonLink variant="plain" href="/">
              All agents
            </ButtonLink>
          </Empty>
        )}
        {agent !== undefined && <Connect agent={agent} />}
      </div>
    </main>
  )
}

function Connect({ agent }: { agent: AgentSummary }) {
  const [fresh, setFresh] = useState<FreshKey | null>(null)
  const keys = useKeys(agent.id)
  const settings = useQuery({ queryKey: ['settings'], queryFn: ({ signal }) => api.settings(signal) })
  const url = settings.data?.server.url ?? null
  const builder = `/agents/${encodeURIComponent(agent.id)}`
  return (
    <>
      <header className={styles.head}>
        <h1 className={shared.pageTitle}>
          <Line text={agent.title || agent.name} />
        </h1>
        <span className={shared.quiet}>Connect</span>
        <span className={styles.actions}>
          <ButtonLink variant="plain" href={builder}>
            Open in builder
          </ButtonLink>
        </span>
      </header>
      <p className={styles.lead}>
        A key lets another program or person use this agent and nothing else of this server. It sees only its
        own threads and runs, it cannot approve calls, and it always gets the published version.
      </p>
      <Published version={agent.version} builder={builder} />
      <Section
        id="keys"
        title="Keys"
        about="The text of a key is shown once, when it is made. Only its hash is stored."
      >
        {fresh !== null && url !== null && (
          <NewKeyCard fresh={fresh} agent={agent} url={url} onClose={() => setFresh(null)} />
        )}
        <Keys
          agentId={agent.id}
          keys={keys}
          onMade={setFresh}
          onRevoked={(id) => fresh?.id === id && setFresh(null)}
        />
      </Section>
      {/* A new key comes with its own texts, already filled in. */}
      {fresh === null && (
        <Section id="how" title="How to connect" about="What to enter in other programs.">
          {settings.isError && <ErrorNote error={settings.error} onRetry={() => void settings.refetch()} />}
          {url !== null && <HowTo agent={agent} url={url} />}
        </Section>
      )}
    </>
  )
}

function Published({ version, builder }: { version: number | null; builder: string }) {
  if (version !== null)
    return (
      <p className={styles.version}>
        <Icon name="circle-check" size={14} /> Holders of keys get version {version}.
      </p>
    )
  return (
    <p className={styles.version} data-missing>
      <Icon name="triangle-alert" size={14} />
      <span>
        No version is published yet, so a key cannot begin a run.{' '}
        <Link className={shared.link} href={builder}>
          Publish one in the builder
        </Link>
        .
      </span>
    </p>
  )
}
