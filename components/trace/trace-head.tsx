/** The headings of the trace's columns, with the ticks of its time axis. */
import type { ReactNode } from 'react'
import { duration } from '#components/run/figures'
import type { Axis } from './trace-bars'
import styles from './trace-table.module.css'

/** A fraction of the axis: a label further right would be cut off. */
const lastLabel = 0.85

/** `children` come after the first heading. */
export function TraceHead({ axis, children }: { axis: Axis; children?: ReactNode }) {
  return (
    <div className={styles.head}>
      <span className={styles.headTitle}>
        <span aria-hidden="true">Steps and calls</span>
        {children}
      </span>
      <span className={styles.ticks} aria-hidden="true">
        {axis.ticks
          .filter((each) => each < axis.span * lastLabel)
          .map((each) => (
            <span key={each} style={{ left: `${(each / axis.span) * 100}%` }}>
              {tickText(each)}
            </span>
          ))}
      </span>
      {['Tokens', 'Cost', 'Time'].map((each) => (
        <span key={each} className={styles.figure} aria-hidden="true">
          {each}
        </span>
      ))}
    </div>
  )
}

function tickText(ms: number): string {
  if (ms === 0) return '0 s'
  return ms < 1000 || ms % 1000 !== 0 ? duration(ms) : `${ms / 1000} s`
}
