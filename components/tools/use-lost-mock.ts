'use client'
/** Removes a mock whose tool the draft does not have. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '#components/data/client'
import { trialKeys } from '#components/data/trials'

export function useLostMock(agentId: string, tool: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.trials.removeMock(agentId, tool),
    onSettled: () => queries.invalidateQueries({ queryKey: trialKeys.tools(agentId) }),
  })
}
