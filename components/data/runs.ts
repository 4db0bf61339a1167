'use client'
/** The queries of the run screens. */
import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { RunQuery } from '#lib/wire/runs'
import { isGoing } from './agents'
import { ApiError, api, type StepPlace } from './client'

export type RunListFilter = Omit<RunQuery, 'cursor' | 'limit' | 'thread' | 'with'>

const pageSize = 50

/**
 * Page by page, each run with the number of its failed calls; refetched every second while a run is under way, otherwise every ten seconds.
 */
export function useRuns(filter: RunListFilter) {
  return useInfiniteQuery({
    queryKey: ['runs', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      api.runs.list(
        { ...filter, with: 'failures', limit: pageSize, ...(pageParam !== null && { cursor: pageParam }) },
        signal,
      ),
    initialPageParam: firstPage,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some(isGoing)) ? 1_000 : 10_000,
  })
}

const firstPage: string | null = null

/** The models and tools by which the list can be filtered. */
export function useRunChoices() {
  return useQuery({ queryKey: ['runs', 'choices'], queryFn: ({ signal }) => api.runs.choices(signal) })
}

/**
 * The config and origins that a run started from; they never change, and everything else comes with the
 * events.
 */
export function useRunView(runId: string) {
  return useQuery({
    queryKey: ['runs', 'one', runId],
    queryFn: ({ signal }) => api.runs.get(runId, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: (misses, error) => misses < 1 && !(error instanceof ApiError && error.code === 'not_found'),
  })
}

/** The tree of forks that contains this run. */
export function useBranches(runId: string) {
  return useQuery({
    queryKey: ['runs', 'branches', runId],
    queryFn: ({ signal }) => api.runs.branches(runId, signal),
    refetchInterval: ({ state }) => (state.data?.items.some(isGoing) ? 1_000 : 10_000),
  })
}

/** The model request of a step and what it is made of. */
export function stepRequestQuery(runId: string, { step, parent }: StepPlace) {
  return queryOptions({
    queryKey: ['runs', 'one', runId, 'request', parent ?? null, step],
    queryFn: ({ signal }) => api.runs.request(runId, { step, parent }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: (misses, error) => misses < 1 && !(error instanceof ApiError && error.status < 500),
  })
}

export function useStepRequest(runId: string, place: StepPlace, isWanted: boolean) {
  return useQuery({ ...stepRequestQuery(runId, place), enabled: isWanted })
}
