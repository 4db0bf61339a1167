'use client'
/** How long a run took, or has been running; nothing while it is queued. */
import type { RunSummary } from '#lib/wire/runs'
import { duration } from './figures'
import { useNow } from './use-now'

export function Elapsed({ run: { startedAt, finishedAt } }: { run: RunSummary }) {
  const now = useNow(startedAt !== null && finishedAt === null)
  if (startedAt === null) return null
  return duration(Math.max(0, (finishedAt ?? now) - startedAt))
}
