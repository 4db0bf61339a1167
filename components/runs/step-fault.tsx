'use client'
/** Why a step failed and what mends it: the first thing a person looks for in a failed run. */
import { endingOf } from '#components/run/endings'
import { Line } from '#components/ui/line'
import type { RunError } from '#lib/spec/event'
import { SettingsWay } from './settings-way'
import styles from './step-detail.module.css'

const longest = 4_000

export function StepFault({ fault }: { fault: RunError }) {
  // The run ends with the code of the model's error and this prefix.
  const end = { ...fault, code: `model_${fault.code}` }
  const { title, advice } = endingOf(end) ?? {}
  return (
    <section className={styles.wrong} aria-label="What went wrong">
      <h3 className={styles.label}>What went wrong</h3>
      <p className={styles.fault} title={fault.code}>
        {title !== undefined && <b>{title}. </b>}
        <Line text={fault.message} limit={longest} />
      </p>
      {advice !== undefined && <p>{advice}</p>}
      <SettingsWay fault={end} />
    </section>
  )
}
