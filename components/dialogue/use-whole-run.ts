'use client'
/** What a list leaves out of a stored run: the files that it has made, and what a person said to it meanwhile. */
import { useQuery } from '@tanstack/react-query'
import { api } from '#components/data/client'
import type { Artifact } from '#lib/spec/artifact'
import type { RunSummary, SteeredWords } from '#lib/wire/runs'

const noFiles: readonly Artifact[] = []
const noWords: readonly SteeredWords[] = []

interface MoreOfRun {
  readonly made: readonly Artifact[]
  readonly said: readonly SteeredWords[]
}

export function useWholeRun(
  run: Pick<RunSummary, 'id' | 'status' | 'steps' | 'toolCalls' | 'finishedAt'>,
): MoreOfRun {
  const whole = useQuery({
    // Apart from the view of a run that is still going, which lacks what comes later.
    queryKey: ['runs', 'one', run.id, 'ended'],
    queryFn: ({ signal }) => api.runs.get(run.id, signal),
    enabled: run.finishedAt !== null && mayHaveMore(run),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return { made: whole.data?.artifacts ?? noFiles, said: whole.data?.steered ?? noWords }
}

/** Files come from calls, and words to a run make it take a further step unless it fails first. */
export function mayHaveMore({
  status,
  steps,
  toolCalls,
}: Pick<RunSummary, 'status' | 'steps' | 'toolCalls'>) {
  return toolCalls.length > 0 || steps > 1 || status !== 'completed'
}
