'use client'
/**
 * The time axis of the followed run: it grows while the run is active, and has a playhead during a replay.
 */
import { useMemo } from 'react'
import { ticks } from '#components/run/figures'
import { useRun } from '#components/run/run-context'
import { useNow } from '#components/run/use-now'
import type { Axis } from './trace-bars'

export function useAxis(): Axis {
  const isLive = useRun((run) => run.state !== null && run.state.finishedAt === undefined)
  const now = useNow(isLive)
  const start = useRun((run) => run.state?.startedAt ?? run.state?.queuedAt) ?? now
  const lastAt = useRun((run) => run.state?.lastAt) ?? now
  const playhead = useRun(({ events, replay }) => (replay === null ? null : (events[0]?.at ?? 0) + replay.at))
  const end = isLive ? now : lastAt
  return useMemo(() => {
    const elapsed = Math.max(1, end - start)
    const span = isLive ? Math.max(1_000, elapsed * 1.08) : Math.max(20, elapsed * 1.04)
    return { start, span, now: isLive ? end : null, playhead, ticks: ticks(span, 7) }
  }, [start, end, isLive, playhead])
}
