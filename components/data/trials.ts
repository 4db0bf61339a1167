'use client'
/** The queries of an agent's tools as a person tries and mocks them, and a try as it happens. */
import { useQuery } from '@tanstack/react-query'
import type { RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import { decodeEvents } from '#lib/wire/sse'
import type { BeginTry, TryEvent } from '#lib/wire/trials'
import { request } from './call'
import { api } from './client'
import { hasPageKey } from './page-key'

export const trialKeys = {
  tools: (agentId: string) => ['agents', agentId, 'trials'] as const,
  tries: (agentId: string, tool: string) => ['agents', agentId, 'trials', tool] as const,
  mocks: (agentId: string) => ['agents', agentId, 'trials', 'mocks of the draft'] as const,
  files: (threadId: string | null) => ['threads', 'files', threadId] as const,
}

export function useTrialTools(agentId: string) {
  return useQuery({
    queryKey: trialKeys.tools(agentId),
    queryFn: ({ signal }) => api.trials.tools(agentId, signal),
    retry: false,
  })
}

export function useTries(agentId: string, tool: string) {
  return useQuery({
    queryKey: trialKeys.tries(agentId, tool),
    queryFn: ({ signal }) => api.trials.tries(agentId, tool, signal),
  })
}

/** The mocks of an agent's draft. */
export function useMocks(agentId: string) {
  return useQuery({
    queryKey: trialKeys.mocks(agentId),
    queryFn: ({ signal }) => api.trials.mocks(agentId, signal),
    enabled: !hasPageKey(),
  })
}

/**
 * The arguments of a call of a run, as its events have them: known secrets are replaced.
 * @param path the ids of the calls around it and its own, joined by `/`
 */
export function useCallArgs(runId: string | null, path: string | null) {
  return useQuery({
    queryKey: ['runs', runId, 'call', path],
    queryFn: async ({ signal }) => argsOfCall((await api.runs.events(runId ?? '', signal)).items, path),
    enabled: runId !== null && path !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Null where the call is not among the events. */
export function argsOfCall(events: readonly RunEvent[], path: string | null): JsonObject | null {
  const isIt = (each: { readonly callId: string; readonly parent?: string | undefined }) =>
    (each.parent === undefined ? each.callId : `${each.parent}/${each.callId}`) === path
  const started = events.find((each) => each.type === 'call.started' && isIt(each))
  if (started?.type === 'call.started') return started.args
  const asked = events.find((each) => each.type === 'approval.requested' && isIt(each))
  return asked?.type === 'approval.requested' ? asked.args : null
}

/**
 * Tries a tool and yields what happens; ending the loop, or the signal, stops the tool. Throws an `ApiError` when
 * it does not begin.
 */
export async function* tryTool(
  { agentId, tool }: { readonly agentId: string; readonly tool: string },
  body: BeginTry,
  signal: AbortSignal,
): AsyncGenerator<TryEvent, void> {
  const response = await request('POST /api/agents/{id}/trials/{tool}', {
    params: { id: agentId, tool },
    body,
    headers: { accept: 'text/event-stream, application/json' },
    signal,
  })
  if (response.body === null) return
  for await (const { data } of decodeEvents(response.body)) yield JSON.parse(data) as TryEvent // cast: server and page are built together
}

/** The page of a tool; with a call, its arguments are filled in. */
export function toolHref(
  agentId: string,
  tool?: string,
  call?: { readonly runId: string; readonly path: string },
): string {
  const page = `/agents/${encodeURIComponent(agentId)}/tools`
  if (tool === undefined) return page
  const query = call === undefined ? '' : `?${new URLSearchParams({ run: call.runId, call: call.path })}`
  return `${page}/${encodeURIComponent(tool)}${query}`
}
