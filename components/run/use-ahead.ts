'use client'
/** How many runs are ahead of the followed one, requested while it is queued. */
import { useQuery } from '@tanstack/react-query'
import { api } from '#components/data/client'
import { useRun } from './run-context'

const everyMs = 2_000

/** Undefined when it is not queued or when the number is not known yet. */
export function useAhead(): number | undefined {
  const runId = useRun((run) => (run.state?.status === 'queued' ? run.runId : null))
  const { data } = useQuery({
    queryKey: ['runs', 'ahead', runId],
    queryFn: async ({ signal }) => (await api.runs.get(runId ?? '', signal)).ahead ?? null,
    enabled: runId !== null,
    refetchInterval: ({ state }) => (state.status === 'error' ? false : everyMs),
  })
  return runId === null ? undefined : (data ?? undefined)
}
