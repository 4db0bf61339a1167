'use client'
/** What the agent screens ask the server for, each under one key. */
import { useQuery } from '@tanstack/react-query'
import { api } from '#lib/http/client'
import type { RunSummary } from '#lib/http/runs'

export const keys = {
  agents: ['agents'] as const,
  agent: (id: string) => ['agents', id] as const,
  versions: (id: string) => ['agents', id, 'versions'] as const,
  catalog: ['catalog'] as const,
  lastRuns: ['runs', 'last'] as const,
}

export function useAgents() {
  return useQuery({ queryKey: keys.agents, queryFn: ({ signal }) => api.agents.list(signal) })
}

/** The catalog belongs to the server's build: asked once. */
export function useCatalog() {
  return useQuery({
    queryKey: keys.catalog,
    queryFn: ({ signal }) => api.catalog(signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export const isGoing = (run: RunSummary) =>
  run.status === 'queued' || run.status === 'running' || run.status === 'waiting'

/** The newest run of each agent, asked again every two seconds while one of them goes. */
export function useLastRuns() {
  return useQuery({
    queryKey: keys.lastRuns,
    queryFn: async ({ signal }) => {
      const { items } = await api.runs.list({ limit: 200 }, signal)
      const last = new Map<string, RunSummary>()
      for (const run of items) if (!last.has(run.agentId)) last.set(run.agentId, run)
      return last
    },
    refetchInterval: ({ state }) =>
      state.data !== undefined && [...state.data.values()].some(isGoing) ? 2_000 : false,
  })
}
