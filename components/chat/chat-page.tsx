'use client'
/** Fetches an agent and the catalog, then opens the chat on them. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { keys, useCatalog } from '#components/data/agents'
import { readAgent } from '#components/data/left-saves'
import { RunProvider } from '#components/run/run-context'
import { Loading } from '#components/ui/bits'
import { isMissing } from '#components/ui/notice'
import { PageFailed } from '#components/ui/page-failed'
import type { Catalog } from '#lib/spec/catalog'
import type { AgentView } from '#lib/wire/agents'
import styles from './chat.module.css'
import { chatAgentOf } from './chat-agent'
import { ChatRegions } from './chat-regions'

const allAgents = { href: '/', label: 'All agents' }

export function ChatPage({ agentId, isBare = false }: { agentId: string; isBare?: boolean }) {
  const catalog = useCatalog()
  const agent = useQuery({
    queryKey: keys.agent(agentId),
    queryFn: ({ signal }) => readAgent(agentId, signal),
    retry: (count, error) => count < 1 && !isMissing(error),
  })
  const failed = agent.data === undefined ? agent.error : catalog.error
  if (failed !== null)
    return (
      <PageFailed
        error={failed}
        list={allAgents}
        onRetry={() => void (agent.isError ? agent.refetch() : catalog.refetch())}
      />
    )
  if (agent.data === undefined || catalog.data === undefined)
    return <Loading what="the chat" heights={['100%', '100%']} className={styles.loading} as="main" />
  return (
    <RunProvider>
      <DrawnChat agent={agent.data} catalog={catalog.data} isBare={isBare} />
    </RunProvider>
  )
}

interface DrawnChatProps {
  readonly agent: AgentView
  readonly catalog: Catalog
  readonly isBare: boolean
}

function DrawnChat({ agent, catalog, isBare }: DrawnChatProps) {
  const known = useMemo(() => chatAgentOf(agent, catalog, isBare), [agent, catalog, isBare])
  return <ChatRegions agent={known} />
}
