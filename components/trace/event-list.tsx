'use client'
/** The events of the run as they are stored, one a line, drawn only where they are seen. */
import { useRef, useState } from 'react'
import type { RunEvent } from '#lib/spec/event'
import { duration } from './figures'
import { useRun } from './run-context'
import styles from './trace-dock.module.css'
import { rowHeight } from './windowing'

/** Rows drawn beyond those in view. */
const margin = 20
/** As many rows as the tallest dock can show. */
const most = 80

export function EventList() {
  // The list grows in place: its length is what tells.
  useRun((run) => run.events.length)
  const events = useRun((run) => run.events)
  const [from, setFrom] = useState(0)
  const scroller = useRef<HTMLDivElement>(null)
  if (events.length === 0) return <p className={styles.empty}>No events yet.</p>
  const begin = events[0]?.at ?? 0
  const shown = events.slice(from, from + most)
  const onScroll = () =>
    setFrom(Math.max(0, Math.floor((scroller.current?.scrollTop ?? 0) / rowHeight) - margin))
  return (
    <div
      ref={scroller}
      className={styles.events}
      onScroll={onScroll}
      tabIndex={0}
      role="region"
      aria-label="Events"
    >
      <ol style={{ height: events.length * rowHeight }}>
        {shown.map((each, index) => (
          <EventRow key={each.seq} event={each} begin={begin} top={(from + index) * rowHeight} />
        ))}
      </ol>
    </div>
  )
}

function EventRow({ event, begin, top }: { event: RunEvent; begin: number; top: number }) {
  const { type, seq, at, step, ...payload } = event
  const body = JSON.stringify(payload)
  return (
    <li style={{ top }} title={body.slice(0, 2_000)}>
      <span>{seq}</span>
      <span>{duration(at - begin)}</span>
      <b>{type}</b>
      <code>{body.slice(0, 500)}</code>
    </li>
  )
}
