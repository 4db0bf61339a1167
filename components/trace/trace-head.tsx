/** The headings of the trace's columns, with the ticks of its time axis. */
import type { ReactNode } from 'react'
import type { Axis } from './axis'
import styles from './trace-table.module.css'

/** `children` come after the first heading. */
export function TraceHead({ axis, children }: { axis: Axis; children?: ReactNode }) {
  return (
    <div className={styles.head}>
      <span className={styles.headTitle}>
        <span aria-hidden="true">Steps and calls</span>
        {children}
      </span>
      <span className={styles.ticks} aria-hidden="true">
        {axis.ticks.map(
          ({ at, label }) =>
            label !== null && (
              <span key={at} style={{ left: percent(at / axis.span) }}>
                {label}
              </span>
            ),
        )}
        {axis.breaks.map(({ at, words, hasRoom }) => (
          <b
            key={at}
            style={{ left: percent(at / axis.span), width: percent(axis.gap / axis.span) }}
            title={`${words} of waiting for a person`}
          >
            {hasRoom && <em>{words}</em>}
          </b>
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

function percent(share: number): string {
  return `${share * 100}%`
}
