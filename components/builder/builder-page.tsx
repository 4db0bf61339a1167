'use client'
/** Loads an agent, the catalog and the code of the builder, then opens the builder. */
import { useQuery } from '@tanstack/react-query'
import { useCatalog } from '#components/data/agents'
import { readAgent } from '#components/data/left-saves'
import { ForkPlace } from '#components/fork/fork-place'
import { RunProvider } from '#components/run/run-context'
import { isMissing } from '#components/ui/notice'
import { PageFailed } from '#components/ui/page-failed'
import { BuilderLoading } from './builder-loading'

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
  const code = useQuery({
    queryKey: ['code of the builder'],
    queryFn: loadBuilder,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const failed = agent.error ?? catalog.error ?? code.error
  if (failed !== null)
    return (
      <PageFailed
        error={failed}
        list={allAgents}
        onRetry={() => void [agent, catalog, code].find((each) => each.isError)?.refetch()}
      />
    )
  if (agent.data === undefined || catalog.data === undefined || code.data === undefined)
    return <BuilderLoading />
  const { Builder } = code.data
  return (
    <RunProvider>
      <ForkPlace>
        <Builder agent={agent.data} catalog={catalog.data} />
      </ForkPlace>
    </RunProvider>
  )
}

/** The library of the canvas is loaded separately, so that the browser evaluates it in a task of its own. */
async function loadBuilder() {
  // A font that arrives makes the browser lay out the whole page again: this one comes before the drawing.
  void document.fonts.load('12px "JetBrains Mono Variable"').catch(() => undefined)
  const [, builder] = await Promise.all([import('@xyflow/react'), import('./builder')])
  return builder
}
