'use client'
/** The query for the walls around foreign code, and testing them again. */
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { WalledKind } from '#lib/spec/walls'
import { api } from './client'

/** Without a kind the key of all, which begins every other. */
const queryKeyOf = (kind?: WalledKind) => (kind === undefined ? ['sandbox'] : ['sandbox', kind])

/** The walls of every kind, tested by the server when it is asked first. They change only by a test, so one answer is kept. */
export function useSandbox() {
  return useQuery(wallsOf())
}

/** The same for one kind: the server does not test the walls of others, which can take long. */
export function useSandboxOf(kind: WalledKind | undefined, isEnabled: boolean) {
  return useQuery({ ...wallsOf(kind), enabled: isEnabled && kind !== undefined })
}

function wallsOf(kind?: WalledKind) {
  return queryOptions({
    queryKey: queryKeyOf(kind),
    queryFn: ({ signal }) => api.sandbox.get(kind, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Tests every wall again; all screens then show the new results. */
export function useTestSandbox() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.sandbox.test(),
    onSuccess(view) {
      client.setQueryData(queryKeyOf(), view)
      for (const each of view.kinds) client.setQueryData(queryKeyOf(each.kind), { ...view, kinds: [each] })
    },
  })
}
