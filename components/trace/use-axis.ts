'use client'
/**
 * The time axis of the followed run: it grows while the run is active, and has a playhead during a replay.
 */
import { useEffect, useMemo, useRef, useState } from 'react'
import { useRun } from '#components/run/run-context'
import { useNow } from '#components/run/use-now'
import { type Axis, axisOf } from './axis'
import { createRunWaits } from './run-waits'
import type { Scale } from './time-scale'

const noWaits = [] as const

export function useAxis(): Axis {
  const isLive = useRun((run) => run.state !== null && run.state.finishedAt === undefined)
  const now = useNow(isLive)
  const seq = useRun((run) => run.seq)
  const state = useRun((run) => run.state)
  const start = state?.startedAt ?? state?.queuedAt ?? now
  const lastAt = state?.lastAt ?? now
  const playhead = useRun(({ events, replay }) => (replay === null ? null : (events[0]?.at ?? 0) + replay.at))
  const end = isLive ? now : lastAt
  const [readWaits] = useState(createRunWaits)
  // The state is changed in place, so `seq` shows that the waits may have changed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `seq` stands for the state's content
  const waits = useMemo(() => (state === null ? noWaits : readWaits(state)), [state, seq, readWaits])
  const before = useRef<Scale | null>(null)
  const axis = useMemo(
    () => axisOf({ start, end, isLive, playhead, waits, before: before.current }),
    [start, end, isLive, playhead, waits],
  )
  useEffect(() => {
    before.current = axis.scale
  })
  return axis
}
