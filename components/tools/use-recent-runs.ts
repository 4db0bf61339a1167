'use client'
/** The recent runs of an agent, from which a mock can answer. */
import { useQuery } from '@tanstack/react-query'
import { api } from '#components/data/client'

export function useRecentRuns(agentId: string, isWanted: boolean) {
  return useQuery({
    queryKey: ['runs', 'recent', agentId],
    queryFn: ({ signal }) => api.runs.list({ agent: agentId, limit: 50 }, signal),
    enabled: isWanted,
  })
}
