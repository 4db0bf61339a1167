'use client'
/**
 * An agent's published versions and its draft: what has changed since the newest version, and publishing it.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import { keys } from '#components/data/agents'
import { api } from '#components/data/client'
import type { Autosave } from '#components/drawing/autosave'
import { useGraph } from '#components/drawing/graph-context'
import { type ConfigChange, diffConfigs } from '#lib/graph/diff'
import type { JsonObject } from '#lib/spec/json'
import type { VersionView } from '#lib/wire/agents'

/** Newest first. */
export function useVersions(agentId: string) {
  return useQuery({
    queryKey: keys.versions(agentId),
    queryFn: ({ signal }) => api.agents.versions.list(agentId, signal),
    select: ({ items }) => items.toSorted((a, b) => b.version - a.version),
  })
}

export interface DraftVersion {
  /** Null while the drawing has errors. */
  readonly config: JsonObject | null
  /** Undefined while it is loading, null before the first version. */
  readonly newest: VersionView | null | undefined
  /** Since the newest version; null where there is nothing to compare. */
  readonly changes: readonly ConfigChange[] | null
}

export function useDraft(agentId: string): DraftVersion {
  const versions = useVersions(agentId)
  const catalog = useGraph((state) => state.catalog)
  // The comparison may lag behind the edit, because typing must not wait for it.
  const config = useDeferredValue(useGraph((state) => state.compiled.config))
  const newest = versions.data === undefined ? undefined : (versions.data[0] ?? null)
  const changes = useMemo(
    () => (newest == null || config === null ? null : diffConfigs(newest.config, config, catalog)),
    [newest, config, catalog],
  )
  return { config, newest, changes }
}

export function usePublish(agentId: string, autosave: Autosave) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      if (!(await autosave.flush())) throw new Error('The drawing could not be saved first.')
      return api.agents.versions.publish(agentId, autosave.revision())
    },
    onSuccess: () => client.invalidateQueries({ queryKey: keys.agents }),
  })
}
