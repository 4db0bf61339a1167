/**
 * The waterfall: the bars of a row, and the grid behind them. The browser computes positions from CSS
 * variables of the axis, so that passing time renders no row again.
 */
import type { CSSProperties } from 'react'
import type { Axis } from './axis'
import { type Bar, isMoving, type Row } from './row'
import { type AxisPlace, endPlace, placeAt, type Scale, unitsOf } from './time-scale'
import styles from './trace-bars.module.css'

/** The axis as CSS variables, which the bars read. */
export function axisStyle({ scale, span, gap, now, playhead }: Axis): CSSProperties {
  const variables = {
    '--span': span,
    '--gap': gap,
    '--now': now === null ? span : unitsOf(endPlace(scale, now), gap),
    '--playhead': playhead === null ? 0 : unitsOf(placeAt(scale, playhead), gap),
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

/** Lines behind all rows: the ticks, the breaks, and the current time or the playhead. */
export function Grid({ axis: { ticks, breaks, now, playhead } }: { axis: Axis }) {
  const line = playhead !== null ? '--playhead' : now !== null ? '--now' : null
  return (
    <div className={styles.grid} aria-hidden="true">
      <span>
        {ticks.map((each) => (
          <u key={each.at} style={{ left: at(`${each.at}`) }} />
        ))}
        {breaks.map((each) => (
          <s key={each.at} style={place(`${each.at}`, `${each.at} + var(--gap)`)} />
        ))}
        {line !== null && <u data-now="" style={{ left: at(`var(${line})`) }} />}
      </span>
    </div>
  )
}

export interface BarCellProps {
  readonly row: Row
  readonly scale: Scale
  readonly isLive: boolean
  readonly when: When
}

export function BarCell({ row, scale, isLive, when }: BarCellProps) {
  const { bar, beside } = row
  const shared = { tone: row.tone, scale, isLive, when }
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
  readonly scale: Scale
  readonly isLive: boolean
  readonly when: When
}

function BarShape({ bar, tone, scale, isLive, when }: BarShapeProps) {
  const { kind } = bar
  // In a replay, a bar has grown only up to the playhead.
  const isCut = when === 'now' && kind !== 'step'
  const units = (time: number) => unitsText(placeAt(scale, time))
  const end = isCut ? 'var(--playhead)' : bar.end === null ? 'var(--now)' : units(bar.end)
  const marks = {
    'data-open': (bar.end === null && isLive) || isCut || undefined,
    'data-tone': tone,
  }
  const from = units(bar.start)
  if (kind !== 'model') return <i data-bar={kind} {...marks} style={place(from, end)} />
  if (bar.firstAt == null) return <i data-bar="awaited" {...marks} style={place(from, end)} />
  const first = units(bar.firstAt)
  return (
    <>
      <i data-bar="awaited" style={place(from, isCut ? `min(${first}, ${end})` : first)} />
      <i data-bar="model" {...marks} style={place(first, end)} />
    </>
  )
}

/** A place on the axis for CSS, which knows the width of a break. */
function unitsText({ work, breaks }: AxisPlace): string {
  return breaks === 0 ? `${work}` : `${work} + ${breaks} * var(--gap)`
}

/** Both are in milliseconds of work on the axis, or CSS for them. */
function place(from: string, to: string): CSSProperties {
  return { left: at(from), width: `calc(100% * ((${to}) - (${from})) / var(--span))` }
}

function at(units: string): string {
  return `calc(100% * (${units}) / var(--span))`
}

/** Whether what it shows changes with time alone. */
export function needsClock(row: Row): boolean {
  return row.until !== undefined || row.expiresAt !== undefined || isMoving(row)
}
