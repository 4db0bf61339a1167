'use client'
/** The files that a stored run has made. */
import { useQuery } from '@tanstack/react-query'
import { api } from '#components/data/client'
import type { Artifact } from '#lib/spec/artifact'
import type { RunSummary } from '#lib/wire/runs'

const noFiles: readonly Artifact[] = []

export function useFilesMade({ id, toolCalls }: Pick<RunSummary, 'id' | 'toolCalls'>): readonly Artifact[] {
  const whole = useQuery({
    queryKey: ['runs', 'one', id],
    queryFn: ({ signal }) => api.runs.get(id, signal),
    // A run without calls made no files.
    enabled: toolCalls.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return whole.data?.artifacts ?? noFiles
}
