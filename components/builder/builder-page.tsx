'use client'
/** Loads an agent and the catalog, then opens the builder. */
import { useQuery } from '@tanstack/react-query'
import { useCatalog } from '#components/data/agents'
import { readAgent } from '#components/data/left-saves'
import { ForkPlace } from '#components/fork/fork-place'
import { RunProvider } from '#components/run/run-context'
import { isMissing } from '#components/ui/notice'
import { PageFailed } from '#components/ui/page-failed'
import { Builder, BuilderLoading } from './builder'

const allAgents = { href: '/', label: 'All agents' }

export function BuilderPage({ agentId }: { agentId: string }) {
  const catalog = useCatalog()
  // Loaded once and never again, because from then on the drawing on screen belongs to the person editing it.
  const agent = useQuery({
    queryKey: ['builder', agentId],
    queryFn: ({ signal }) => readAgent(agentId, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    retry: (count, error) => count < 1 && !isMissing(error),
  })
  const failed = agent.error ?? catalog.error
  if (failed !== null)
    return (
      <PageFailed
        error={failed}
        list={allAgents}
        onRetry={() => void (agent.isError ? agent.refetch() : catalog.refetch())}
      />
    )
  if (agent.data === undefined || catalog.data === undefined) return <BuilderLoading />
  return (
    <RunProvider>
      <ForkPlace>
        <Builder agent={agent.data} catalog={catalog.data} />
      </ForkPlace>
    </RunProvider>
  )
}
