'use client'
/** Which version of an agent is published, and whether its draft has changed since. */
import { useQuery } from '@tanstack/react-query'
import { keys } from '#components/data/agents'
import { api } from '#components/data/client'
import { Chip } from '#components/ui/bits'
import { draftWords } from '#components/versions/words'
import { diffConfigs } from '#lib/graph/diff'
import type { Catalog } from '#lib/spec/catalog'
import type { AgentSummary } from '#lib/wire/agents'

export interface VersionChipProps {
  readonly agent: AgentSummary
  readonly catalog: Catalog | undefined
}

export function VersionChip({ agent: { id, version, configHash }, catalog }: VersionChipProps) {
  const published = useQuery({
    queryKey: [...keys.versions(id), 'newest', version],
    queryFn: async ({ signal }) => {
      const { items } = await api.agents.versions.list(id, signal)
      return items.find((each) => each.version === version) ?? null
    },
    enabled: version !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const newest = published.data ?? null
  const isBehind = newest !== null && newest.configHash !== configHash
  const drawn = useQuery({
    queryKey: [...keys.agent(id), 'config', configHash],
    queryFn: async ({ signal }) => (await api.agents.get(id, signal)).config,
    enabled: isBehind && configHash !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (version === null) return null
  const changes = () =>
    newest === null || drawn.data == null || catalog === undefined
      ? null
      : diffConfigs(newest.config, drawn.data, catalog)
  const words = isBehind ? draftWords({ newest, changes: changes() }) : `v${version}`
  return <Chip tone="line">{words}</Chip>
}
