'use client'
/** The query for the walls around foreign code, and testing them again. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from './client'

const queryKey = ['sandbox']

/** The walls, tested by the server when it is asked first. They change only by a test, so one answer is kept. */
export function useSandbox(isEnabled = true) {
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => api.sandbox.get(signal),
    enabled: isEnabled,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Tests every wall again; all screens then show the new results. */
export function useTestSandbox() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.sandbox.test(),
    onSuccess: (view) => client.setQueryData(queryKey, view),
  })
}
