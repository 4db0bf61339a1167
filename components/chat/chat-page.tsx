'use client'
/** Fetches an agent and the catalog, then opens the chat on them. */
import { useQuery } from '@tanstack/react-query'
import { keys, useCatalog } from '#components/data/agents'
import { readAgent } from '#components/data/left-saves'
import { RunProvider } from '#components/run/run-context'
import { Loading } from '#components/ui/bits'
import { isMissing } from '#components/ui/notice'
import { PageFailed } from '#components/ui/page-failed'
import styles from './chat.module.css'
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
      <ChatRegions agent={agent.data} catalog={catalog.data} isBare={isBare} />
    </RunProvider>
  )
}
