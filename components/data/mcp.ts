'use client'
/** The queries for MCP servers, each under one key, and what changes them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { AddMcpServer, DecideMcpTools, SaveMcpServer } from '#lib/wire/mcp-servers'
import { api } from './client'

export const mcpKeys = {
  servers: ['mcp-servers'] as const,
  server: (name: string) => ['mcp-servers', name] as const,
}

/** @param isWatched asks again every two seconds, while something outside this page may change a server */
export function useMcpServers(isWatched = false) {
  return useQuery({
    queryKey: mcpKeys.servers,
    queryFn: ({ signal }) => api.mcpServers.list(signal),
    refetchInterval: isWatched ? 2_000 : false,
  })
}

/** One server with its tools and the agents that use it. */
export function useMcpServer(name: string, isEnabled = true) {
  return useQuery({
    queryKey: mcpKeys.server(name),
    queryFn: ({ signal }) => api.mcpServers.get(name, signal),
    enabled: isEnabled,
  })
}

/** The returned function resolves when the servers that are shown, and the secrets, match the server. */
export function useRefreshMcp(): () => Promise<unknown> {
  const client = useQueryClient()
  return useCallback(
    () =>
      Promise.all(
        [mcpKeys.servers, ['secrets'], ['catalog']].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
    [client],
  )
}

/** Adds a server, or saves the settings of the one with this name. */
export function useSaveMcpServer(name: string | undefined) {
  const refresh = useRefreshMcp()
  return useMutation({
    mutationFn: (body: { name: string } & SaveMcpServer) => {
      const { name: given, ...settings } = body
      return name === undefined
        ? api.mcpServers.add({ name: given, ...settings } satisfies AddMcpServer)
        : api.mcpServers.save(name, settings)
    },
    onSettled: refresh,
  })
}

/** Connects the server and lists its tools. */
export function useMcpTest(name: string) {
  const refresh = useRefreshMcp()
  return useMutation({
    mutationFn: (signal: AbortSignal) => api.mcpServers.test(name, signal),
    onSettled: refresh,
  })
}

export function useMcpConsent(name: string) {
  const refresh = useRefreshMcp()
  return useMutation({
    mutationFn: (body: { commandHash: string; unwalled: boolean }) => api.mcpServers.consent(name, body),
    onSettled: refresh,
  })
}

/** Accepts tools as they were shown, or keeps them off. */
export function useMcpDecision(name: string) {
  const refresh = useRefreshMcp()
  return useMutation({
    mutationFn: (body: DecideMcpTools) => api.mcpServers.decide(name, body),
    onSettled: refresh,
  })
}
