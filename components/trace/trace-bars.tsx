/**
 * The waterfall: the bars of a row, and the grid behind them. The browser computes positions from CSS
 * variables of the axis, so that passing time renders no row again.
 */
import type { CSSProperties } from 'react'
import { type Bar, isMoving, type Row } from './row'
import styles from './trace-bars.module.css'

/** `start`, `now` and `playhead` are milliseconds since 1970; `span` is in milliseconds. */
export interface Axis {
  readonly start: number
  readonly span: number
  /** Null once the run is finished. */
  readonly now: number | null
  /** Null unless the run is being replayed. */
  readonly playhead: number | null
  readonly ticks: readonly number[]
}

/** The axis as CSS variables, which the bars read. */
export function axisStyle({ start, span, now, playhead }: Axis): CSSProperties {
  const variables = {
    '--span': span,
    '--now': (now ?? start + span) - start,
    '--playhead': (playhead ?? start) - start,
  }
  return variables as CSSProperties // cast: React's type has no custom properties
}

/** Where a row is relative to the playhead; undefined when there is no playhead. */
export type When = 'past' | 'now' | 'later' | undefined

export function sideOfPlayhead({ at, bar }: Row, { playhead }: Axis): When {
  if (playhead === null) return undefined
  if (at === null || at > playhead) return 'later'
  return bar !== null && (bar.end === null || bar.end > playhead) ? 'now' : 'past'
}

/** Lines behind all rows: the ticks, and the current time or the playhead. */
export function Grid({ axis }: { axis: Axis }) {
  const line = axis.playhead === null ? axis.now : axis.playhead
  return (
    <div className={styles.grid} aria-hidden="true">
      <span>
        {axis.ticks.map((each) => (
          <u key={each} style={{ left: at(each) }} />
        ))}
        {line !== null && <u data-now="" style={{ left: at(line - axis.start) }} />}
      </span>
    </div>
  )
}

export interface BarCellProps {
  readonly row: Row
  /** The start of the axis. */
  readonly start: number
  readonly isLive: boolean
  readonly when: When
}

export function BarCell({ row, start, isLive, when }: BarCellProps) {
  const { bar, beside } = row
  const shared = { tone: row.tone, start, isLive, when }
  // A folded step shows the bars of its contents instead of a bracket.
  const isBracket = row.kind === 'step' && row.open === false
  return (
    <span role="gridcell" className={styles.bars}>
      {beside?.map((each) => (
        <BarShape key={`${each.kind}-${each.start}-${each.end}`} bar={each} {...shared} />
      ))}
      {bar !== null && !isBracket && <BarShape bar={bar} {...shared} />}
    </span>
  )
}

interface BarShapeProps {
  readonly bar: Bar
  readonly tone: Row['tone']
  readonly start: number
  readonly isLive: boolean
  readonly when: When
}

function BarShape({ bar, tone, start, isLive, when }: BarShapeProps) {
  const { kind } = bar
  // In a replay, a bar has grown only up to the playhead.
  const isCut = when === 'now' && kind !== 'step'
  const end = isCut ? 'var(--playhead)' : bar.end === null ? 'var(--now)' : `${bar.end - start}`
  const marks = {
    'data-open': (bar.end === null && isLive) || isCut || undefined,
    'data-tone': tone,
  }
  const from = bar.start - start
  if (kind !== 'model') return <i data-bar={kind} {...marks} style={place(from, end)} />
  if (bar.firstAt == null) return <i data-bar="awaited" {...marks} style={place(from, end)} />
  const first = bar.firstAt - start
  return (
    <>
      <i data-bar="awaited" style={place(from, isCut ? `min(${first}, ${end})` : `${first}`)} />
      <i data-bar="model" {...marks} style={place(first, end)} />
    </>
  )
}

/** `to` is milliseconds since the start of the axis, or a CSS variable for it. */
function place(from: number, to: string): CSSProperties {
  return { left: at(from), width: `calc(100% * (${to} - ${from}) / var(--span))` }
}

function at(ms: number): string {
  return `calc(100% * ${ms} / var(--span))`
}

/** Whether what it shows changes with time alone. */
export function needsClock(row: Row): boolean {
  return row.until !== undefined || row.expiresAt !== undefined || isMoving(row)
}
