'use client'
/** The queries of the chat, each under one key. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { isMissing } from '#components/ui/notice'
import { fold, start } from '#lib/agent/state/fold'
import type { RunState } from '#lib/spec/state'
import { api } from './client'

export const chatKeys = {
  threads: (agentId: string) => ['threads', 'of', agentId] as const,
  thread: (id: string | null) => ['threads', 'one', id] as const,
  state: (runId: string) => ['runs', runId, 'state'] as const,
}

/** Newest first, a page at a time: the tests from the builder, or all other threads. */
export function useThreads(agentId: string, purpose: 'test' | 'other') {
  return useInfiniteQuery({
    queryKey: [...chatKeys.threads(agentId), purpose],
    queryFn: ({ pageParam, signal }) =>
      api.threads.list(
        { agent: agentId, purpose, limit: 50, ...(pageParam !== '' && { cursor: pageParam }) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
}

/** The threads of an agent in which a call waits for a person. */
export function useWaitingThreads(agentId: string, isWanted: boolean): ReadonlySet<string> {
  const { data } = useQuery({
    queryKey: ['runs', 'waiting', agentId],
    queryFn: ({ signal }) => api.runs.list({ agent: agentId, status: 'waiting', limit: 200 }, signal),
    select: ({ items }) => new Set(items.map((each) => each.threadId)),
    enabled: isWanted,
    refetchInterval: 5_000,
    retry: false,
  })
  return data ?? noThreads
}

const noThreads: ReadonlySet<string> = new Set()

/** A thread with its runs, oldest first. */
export function useThread(id: string | null) {
  return useQuery({
    queryKey: chatKeys.thread(id),
    queryFn: ({ signal }) => api.threads.get(id ?? '', signal),
    enabled: id !== null,
    retry: (count, error) => count < 1 && !isMissing(error),
  })
}

/** A finished run, folded from its stored events once its steps are to be shown. */
export function useStoredState(runId: string, isWanted: boolean) {
  return useQuery({
    queryKey: chatKeys.state(runId),
    queryFn: async ({ signal }): Promise<RunState | null> => {
      const { items } = await api.runs.events(runId, signal)
      const [first] = items
      if (first?.type !== 'run.queued' && first?.type !== 'run.started') return null
      const { agent, input, threadId, files } = first
      const state = start({
        agent,
        input,
        threadId,
        historyThrough: null,
        history: [],
        ...(files && { files }),
      })
      for (const event of items) fold(state, event)
      return state
    },
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
