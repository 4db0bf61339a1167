'use client'
/** The keys of an agent: fetched, made and revoked. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#components/data/client'
import type { CreateAgentKey, NewAgentKey } from '#lib/wire/agent-keys'

/** A key that was just made: its text is known until the page is left. */
export type FreshKey = Pick<NewAgentKey, 'id' | 'name' | 'use' | 'key'>

const keyOf = (agentId: string) => ['agents', agentId, 'keys'] as const

/** Refetched now and then, because its holders use it meanwhile. */
export function useKeys(agentId: string) {
  return useQuery({
    queryKey: keyOf(agentId),
    queryFn: ({ signal }) => api.agents.keys.list(agentId, signal),
    refetchInterval: 15_000,
  })
}

export function useMakeKey(agentId: string, onMade: (key: NewAgentKey) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: CreateAgentKey) => api.agents.keys.create(agentId, body),
    onSuccess: async (made) => {
      onMade(made)
      await client.invalidateQueries({ queryKey: keyOf(agentId) })
    },
  })
}

export function useRevokeKey(agentId: string, onRevoked: (id: string) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.agents.keys.revoke(agentId, id),
    onSuccess: async (_, id) => {
      onRevoked(id)
      await client.invalidateQueries({ queryKey: keyOf(agentId) })
    },
  })
}
