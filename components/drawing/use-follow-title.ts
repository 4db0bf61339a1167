'use client'
/** After a person changed an agent's title, changes its name to match, if the name still follows the title. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { keys } from '#components/data/agents'
import { api } from '#components/data/client'
import { patchConfig } from '#lib/graph/edit'
import { nameForTitle } from './agent-name'
import { useGraphStore } from './graph-context'

const fresh = 5_000

/** Takes the agent's node and the title before the change. */
export function useFollowTitle(): (node: string, before: string) => Promise<void> {
  const store = useGraphStore()
  const client = useQueryClient()
  return useCallback(
    async (id, before) => {
      // Without the list a free name is not known, so the name stays as it is.
      const list = await client
        .fetchQuery({
          queryKey: keys.agents,
          queryFn: ({ signal }) => api.agents.list(signal),
          staleTime: fresh,
        })
        .catch(() => undefined)
      const { history, edit } = store.getState()
      const config = history.present.nodes.find((each) => each.id === id)?.config
      if (list === undefined || typeof config?.name !== 'string' || typeof config.title !== 'string') return
      const name = nameForTitle({ name: config.name, before, after: config.title, agents: list.items })
      if (name === undefined) return
      edit((graph, catalog) => patchConfig(graph, id, { name }, catalog), titleGesture(id))
    },
    [store, client],
  )
}

/** Title and name change as one entry of the history. */
export function titleGesture(node: string): string {
  return `${node}.title`
}
