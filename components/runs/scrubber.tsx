'use client'
/**
 * The playhead on the run's time: dragged, or moved by arrow keys from event to event and by Page keys from
 * step to step.
 */
import { type CSSProperties, type KeyboardEvent, memo, type PointerEvent, useMemo, useRef } from 'react'
import { duration } from '#components/run/figures'
import { finestMs } from '#components/run/replay-time'
import styles from './scrubber.module.css'
import {
  clockText,
  clockUnit,
  momentAt,
  piecesOf,
  shareAt,
  stepAt,
  type Timeline,
  type TimelinePiece,
} from './timeline'
import { type Replaying, usePlayhead } from './use-replay'

export function Scrubber({ replay }: { replay: Replaying }) {
  const { timeline } = replay
  const { span } = timeline
  const at = usePlayhead(timeline)
  const pieces = useMemo(() => piecesOf(timeline), [timeline])
  const bar = useRef<HTMLDivElement>(null)
  const share = shareAt(timeline, at)
  const move = ({ clientX }: PointerEvent) => {
    const box = bar.current?.getBoundingClientRect()
    if (box === undefined) return
    const moment = momentAt(timeline, (clientX - box.left) / box.width)
    replay.seek(Math.round(moment / finestMs) * finestMs)
  }
  const grab = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    replay.hold(true)
    move(event)
  }
  const step = stepAt(timeline, at)
  return (
    <div
      ref={bar}
      role="slider"
      tabIndex={0}
      aria-label="Time in the run"
      aria-valuemin={0}
      aria-valuemax={span}
      aria-valuenow={Math.round(at)}
      aria-valuetext={`${clockText(at, span)} of ${clockText(span, span)} ${clockUnit(span)}${step === undefined ? '' : `, step ${step}`}`}
      className={styles.scrubber}
      style={{ '--at': share } as CSSProperties} // cast: React's type has no custom properties
      onKeyDown={(event) => press(event, replay)}
      onPointerDown={grab}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && move(event)}
      onLostPointerCapture={() => replay.hold(false)}
    >
      <Bar pieces={pieces} />
      <div className={styles.done}>
        <Bar pieces={pieces} />
      </div>
      <Marks pieces={pieces} timeline={timeline} />
      <span className={styles.head} />
    </div>
  )
}

/** Rendered once per run; during a replay only the clipping of the coloured bar changes. */
const Bar = memo(function Bar({ pieces }: { pieces: readonly TimelinePiece[] }) {
  return pieces.map(({ from, to }) => <span key={from} className={styles.piece} style={between(from, to)} />)
})

const Marks = memo(function Marks({
  pieces,
  timeline,
}: {
  pieces: readonly TimelinePiece[]
  timeline: Timeline
}) {
  const { waits, idle } = timeline
  return (
    <>
      {pieces.map(
        ({ from, label }) =>
          label !== null && (
            <span key={label} className={styles.label} style={{ left: `${from * 100}%` }}>
              {label}
            </span>
          ),
      )}
      {waits.map(({ from, to }) => (
        <span
          key={from}
          className={styles.wait}
          style={between(shareAt(timeline, from), shareAt(timeline, to))}
          title={`It waited ${duration(to - from)} for a person`}
        />
      ))}
      {idle.map(({ from, to }) => (
        <span
          key={`idle ${from}`}
          className={styles.idle}
          style={between(shareAt(timeline, from), shareAt(timeline, to))}
        />
      ))}
    </>
  )
})

function between(from: number, to: number): CSSProperties {
  return { left: `calc(${from * 100}% + 1px)`, width: `calc(${(to - from) * 100}% - 2px)` }
}

function press(event: KeyboardEvent, replay: Replaying): void {
  const run = actionOf(event, replay)
  if (run === undefined) return
  event.preventDefault()
  run()
}

function actionOf({ key, shiftKey, metaKey, ctrlKey, altKey }: KeyboardEvent, replay: Replaying) {
  if (metaKey || ctrlKey || altKey) return undefined
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return shiftKey ? replay.stepBack : replay.eventBack
    case 'ArrowRight':
    case 'ArrowUp':
      return shiftKey ? replay.stepOn : replay.eventOn
    case 'PageDown':
      return replay.stepBack
    case 'PageUp':
      return replay.stepOn
    case 'Home':
      return replay.toStart
    case 'End':
      return replay.toEnd
    default:
      // All other keys mean nothing on the scrubber.
      return undefined
  }
}
