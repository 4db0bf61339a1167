'use client'
/**
 * The run's stored events, one per line, of which only the visible ones are rendered; a selected event opens
 * next to the list.
 */
import { useRef, useState } from 'react'
import { JsonTree } from '#components/observation/json-tree'
import { createEventFilter } from '#components/run/event-filter'
import { count, duration } from '#components/run/figures'
import { useRun } from '#components/run/run-context'
import { IconButton } from '#components/ui/button'
import { CopyButton } from '#components/ui/copy-button'
import { Select } from '#components/ui/field'
import shared from '#components/ui/shared.module.css'
import type { RunEvent } from '#lib/spec/event'
import type { JsonValue } from '#lib/spec/json'
import { jsonLine, lineOf } from '#lib/spec/line'
import styles from './event-list.module.css'
import { useRowHeight } from './use-row-height'
import { useView } from './use-view'

/** How many rows are rendered above and below those in view. */
const margin = 20

export function EventList() {
  // The list grows in place, so its length is what changes.
  useRun((run) => run.events.length)
  const events = useRun((run) => run.events)
  const [type, setType] = useState('')
  const [chosen, setChosen] = useState<number | null>(null)
  const [filter] = useState(createEventFilter)
  const { kept, types } = filter(events, type)
  if (events.length === 0) return <p className={shared.empty}>No events yet.</p>
  const open = chosen === null ? undefined : events.find((each) => each.seq === chosen)
  return (
    <div className={styles.split} data-open={open !== undefined || undefined}>
      <div className={styles.side}>
        <div className={styles.bar}>
          <Select
            className={styles.types}
            aria-label="Type of event"
            value={type}
            onChange={setType}
            options={[
              { value: '', label: 'All types' },
              ...[...types].map(([name, amount]) => ({ value: name, label: `${name} (${count(amount)})` })),
            ]}
          />
          <span role="status">
            {kept.length === events.length
              ? count(events.length)
              : `${count(kept.length)} of ${count(events.length)}`}
          </span>
        </div>
        <Rows events={kept} begin={events[0]?.at ?? 0} chosen={chosen} onChoose={setChosen} />
      </div>
      {open !== undefined && <OneEvent event={open} onClose={() => setChosen(null)} />}
    </div>
  )
}

interface RowsProps {
  readonly events: readonly RunEvent[]
  readonly begin: number
  readonly chosen: number | null
  onChoose(seq: number): void
}

function Rows({ events, begin, chosen, onChoose }: RowsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const { view, measure } = useView(scroller)
  const rowHeight = useRowHeight()
  const from = Math.max(0, Math.floor(view.top / rowHeight) - margin)
  const shown = events.slice(from, Math.ceil((view.top + view.height) / rowHeight) + margin)
  return (
    <div
      ref={scroller}
      className={styles.events}
      onScroll={measure}
      tabIndex={0}
      role="region"
      aria-label="Events"
    >
      <ol style={{ height: events.length * rowHeight }}>
        {shown.map((each, index) => (
          <li key={each.seq} style={{ top: (from + index) * rowHeight }}>
            <button type="button" aria-pressed={each.seq === chosen} onClick={() => onChoose(each.seq)}>
              <span>{each.seq}</span>
              <span>{duration(each.at - begin)}</span>
              <b>{each.type}</b>
              <code className={shared.cut}>{payloadLine(each)}</code>
            </button>
          </li>
        ))}
      </ol>
    </div>
  )
}

/** Events never change, so each is formatted once. */
const lines = new WeakMap<RunEvent, string>()

function payloadLine(event: RunEvent): string {
  const known = lines.get(event)
  if (known !== undefined) return known
  const { type: _, seq: __, at: ___, step: ____, ...payload } = event
  const line = lineOf(jsonLine(payload))
  lines.set(event, line)
  return line
}

function OneEvent({ event, onClose }: { event: RunEvent; onClose(): void }) {
  return (
    <section className={styles.one} aria-label={`Event ${event.seq}`}>
      <header>
        <b>
          {event.seq} {event.type}
        </b>
        <CopyButton label="Copy event as JSON" text={() => JSON.stringify(event, null, 2)} />
        <IconButton icon="x" size="s" label="Close the event" onClick={onClose} />
      </header>
      <div className={styles.json} tabIndex={0} role="region" aria-label="The event as JSON">
        <JsonTree
          key={event.seq}
          value={event as unknown as JsonValue} /* cast: by its schema, an event is JSON */
        />
      </div>
    </section>
  )
}
