'use client'
/** Puts a model into an agent's drawing on the server, and opens the builder on it. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { keys } from '#components/data/agents'
import { ApiError, api } from '#components/data/client'
import { readAgent } from '#components/data/left-saves'
import type { Catalog } from '#lib/spec/catalog'
import type { AgentView } from '#lib/wire/agents'
import { withModel } from './drawn'
import type { ModelEntry } from './entry'

export interface Putting {
  readonly agentId: string
  readonly entry: ModelEntry
}

export function useModelInAgent() {
  const client = useQueryClient()
  const router = useRouter()
  return useMutation({
    mutationFn: async ({ agentId, entry }: Putting) => {
      const [agent, catalog] = await Promise.all([readAgent(agentId), api.catalog()])
      await put(agent, entry, catalog)
      return agentId
    },
    onSuccess: (agentId) => {
      void client.invalidateQueries({ queryKey: keys.agents })
      router.push(`/agents/${encodeURIComponent(agentId)}`)
    },
  })
}

/** If someone else saved in between, their drawing is kept and the model is put into it. */
async function put(agent: AgentView, entry: ModelEntry, catalog: Catalog): Promise<void> {
  try {
    await save(agent, entry, catalog)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'stale_revision') throw error
    await save(await api.agents.get(agent.id), entry, catalog)
  }
}

async function save({ id, graph, revision }: AgentView, entry: ModelEntry, catalog: Catalog): Promise<void> {
  const next = withModel(graph, entry, catalog).graph
  if (next !== graph) await api.agents.save(id, { graph: next, revision })
}
