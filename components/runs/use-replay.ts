'use client'
/**
 * Moves the playhead over a stored run: by time, by step, or by hand. No call runs again; the state at each
 * point is folded from the events.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useRun, useRunActions, useRunStore } from '#components/run/run-context'
import { markAfter, markBefore, momentAfter, momentBefore, type Timeline, withoutWaits } from './timeline'

const speeds = ['1', '10', 'step'] as const
export type Speed = (typeof speeds)[number]

export interface Replaying {
  readonly timeline: Timeline
  readonly isPlaying: boolean
  readonly speed: Speed
  setSpeed(speed: Speed): void
  /** Whether playback skips long waits for a person. */
  readonly skipsWaits: boolean
  setSkipsWaits(skips: boolean): void
  toggle(): void
  /** Milliseconds since the run began. */
  seek(at: number): void
  toStart(): void
  toEnd(): void
  stepBack(): void
  stepOn(): void
  eventBack(): void
  eventOn(): void
  /** While a person drags the playhead, time does not move it. */
  hold(isHeld: boolean): void
}

/** How long each step is shown when playing step by step, in milliseconds. */
const stepRest = 1_200
/** Milliseconds. During playback, going back soon after the start of a step goes to the step before it. */
const justBegun = 600
/** Milliseconds. After the page was hidden, playback does not skip all the time that passed. */
const longestFrame = 1_000
/** Milliseconds between two frames where reduced motion is preferred. */
const calmFrame = 500

/** The playhead's position in the run's time; the end when there is no replay. */
export function usePlayhead({ lead, span }: Timeline): number {
  return useRun(({ replay }) => (replay === null ? span : replay.at - lead))
}

export function useReplay(timeline: Timeline): Replaying {
  const store = useRunStore()
  const { seek: show } = useRunActions()
  const [isPlaying, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<Speed>('1')
  const [skipsWaits, setSkipsWaits] = useState(true)
  const isHeld = useRef(false)
  const { span, lead } = timeline
  const position = useCallback(() => {
    const { replay } = store.getState()
    return replay === null ? span : replay.at - lead
  }, [store, span, lead])
  const seek = useCallback(
    (at: number) => {
      if (at >= span) show(null)
      else show(lead + Math.max(0, at))
    },
    [show, span, lead],
  )

  useEffect(() => {
    if (!isPlaying) return
    const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches
    const rest = speed === 'step' ? stepRest : isCalm ? calmFrame : 0
    let before = performance.now() - (speed === 'step' ? rest : 0)
    let frame = 0
    const tick = (now: number) => {
      frame = requestAnimationFrame(tick)
      const passed = now - before
      if (passed < rest || isHeld.current) return
      before = now
      const at = position()
      if (at >= span) return setPlaying(false)
      if (speed === 'step') seek(markAfter(timeline, at))
      else {
        const next = at + Math.min(passed, Math.max(longestFrame, rest)) * Number(speed)
        seek(skipsWaits ? withoutWaits(timeline, at, next) : next)
      }
    }
    frame = requestAnimationFrame(tick)
    return () => cancelAnimationFrame(frame)
  }, [isPlaying, speed, skipsWaits, timeline, span, position, seek])

  return useMemo(() => {
    const stop = (at: number) => {
      setPlaying(false)
      seek(at)
    }
    return {
      timeline,
      isPlaying,
      speed,
      setSpeed,
      skipsWaits,
      setSkipsWaits,
      toggle: () => {
        if (!isPlaying && position() >= span) seek(0)
        setPlaying(!isPlaying)
      },
      seek,
      toStart: () => stop(0),
      toEnd: () => stop(span),
      stepBack: () => seek(markBefore(timeline, position() - (isPlaying ? justBegun : 0))),
      stepOn: () => seek(markAfter(timeline, position())),
      eventBack: () => stop(momentBefore(timeline, position())),
      eventOn: () => stop(momentAfter(timeline, position())),
      hold: (held) => {
        isHeld.current = held
      },
    }
  }, [timeline, isPlaying, speed, skipsWaits, position, seek, span])
}
