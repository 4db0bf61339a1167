'use client'
/** The queries of the agent screens, each under one key. */
import { useQuery } from '@tanstack/react-query'
import type { RunSummary } from '#lib/wire/runs'
import { api } from './client'
import { hasPageKey } from './page-key'

export const keys = {
  agents: ['agents'] as const,
  agent: (id: string) => ['agents', id] as const,
  versions: (id: string) => ['agents', id, 'versions'] as const,
  catalog: ['catalog'] as const,
  lastRuns: ['runs', 'last'] as const,
  lastRun: (id: string) => ['runs', 'last', id] as const,
  templates: ['templates'] as const,
}

export function useAgents() {
  return useQuery({ queryKey: keys.agents, queryFn: ({ signal }) => api.agents.list(signal) })
}

/** The catalog belongs to the server's build, so it is fetched once. The holder of a key may not read it. */
export function useCatalog() {
  return useQuery({
    queryKey: keys.catalog,
    queryFn: ({ signal }) => api.catalog(signal),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: !hasPageKey(),
  })
}

export const isGoing = (run: Pick<RunSummary, 'status'>) =>
  run.status === 'queued' || run.status === 'running' || run.status === 'waiting'

export interface LastRuns {
  readonly byAgent: ReadonlyMap<string, RunSummary>
  /** False if older runs were not read: an agent missing from `byAgent` may still have runs. */
  readonly isWhole: boolean
}

/** The newest run of each agent, refetched every two seconds while one of them is under way. */
export function useLastRuns() {
  return useQuery({
    queryKey: keys.lastRuns,
    queryFn: async ({ signal }): Promise<LastRuns> => {
      const { items, next } = await api.runs.list({ limit: 200 }, signal)
      const byAgent = new Map<string, RunSummary>()
      for (const run of items) if (!byAgent.has(run.agentId)) byAgent.set(run.agentId, run)
      return { byAgent, isWhole: next === undefined }
    },
    refetchInterval: ({ state }) =>
      state.data !== undefined && [...state.data.byAgent.values()].some(isGoing) ? 2_000 : false,
  })
}

/**
 * The newest run of one agent, fetched separately if the list of all runs did not reach back far enough. Null
 * if the agent never ran.
 */
export function useLastRun(agentId: string, runs: LastRuns | undefined): RunSummary | null | undefined {
  const listed = runs?.byAgent.get(agentId)
  const own = useQuery({
    queryKey: keys.lastRun(agentId),
    queryFn: async ({ signal }) =>
      (await api.runs.list({ agent: agentId, limit: 1 }, signal)).items[0] ?? null,
    enabled: runs !== undefined && !runs.isWhole && listed === undefined,
    staleTime: 60_000,
  })
  if (listed !== undefined || runs === undefined) return listed
  return runs.isWhole ? null : own.data
}

/** The agent templates; they belong to the server's build. */
export function useTemplates() {
  return useQuery({
    queryKey: keys.templates,
    queryFn: ({ signal }) => api.agents.templates(signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
