'use client'
/** How long a run took, or has been going; nothing while it is queued. */
import { duration } from '#components/trace/figures'
import { useNow } from '#components/trace/use-now'
import type { RunSummary } from '#lib/http/runs'

export function Elapsed({ run: { startedAt, finishedAt } }: { run: RunSummary }) {
  const now = useNow(startedAt !== null && finishedAt === null)
  if (startedAt === null) return null
  return duration(Math.max(0, (finishedAt ?? now) - startedAt))
}
