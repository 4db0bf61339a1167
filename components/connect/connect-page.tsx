'use client'
/** Lets other programs and people use one agent: its keys, and what to enter where. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useState } from 'react'
import { AgentPage, builderHref } from '#components/data/agent-page'
import { api } from '#components/data/client'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import { Section } from '#components/ui/section'
import shared from '#components/ui/shared.module.css'
import type { AgentSummary } from '#lib/wire/agents'
import styles from './connect.module.css'
import { HowTo } from './how-to'
import { Keys } from './keys'
import { NewKeyCard } from './new-key-card'
import { type FreshKey, useKeys } from './use-keys'

export function ConnectPage({ agentId }: { agentId: string }) {
  return (
    <AgentPage
      agentId={agentId}
      page="Connect"
      titleOf={(agent) => `Connect ${agent}`}
      lead="A key lets another program or person use this agent and nothing else of this server. It sees only its own threads and runs, it cannot approve calls, and it always gets the published version."
    >
      {(agent) => <Connect agent={agent} />}
    </AgentPage>
  )
}

function Connect({ agent }: { agent: AgentSummary }) {
  const [fresh, setFresh] = useState<FreshKey | null>(null)
  const keys = useKeys(agent.id)
  const settings = useQuery({ queryKey: ['settings'], queryFn: ({ signal }) => api.settings(signal) })
  const url = settings.data?.server.url ?? null
  return (
    <>
      <Published version={agent.version} builder={builderHref(agent.id)} />
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
