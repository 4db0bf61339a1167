'use client'
/** Why a step failed and what mends it: the first thing a person looks for in a failed run. */
import { endingOf } from '#components/run/endings'
import { Line } from '#components/ui/line'
import type { RunError } from '#lib/spec/event'
import { SettingsWay } from './settings-way'
import styles from './step-detail.module.css'

const longest = 4_000

export function StepFault({ fault }: { fault: RunError }) {
  const { title, advice } = endingOf(fault) ?? {}
  return (
    <section className={styles.section} aria-label="What went wrong">
      <h3 className={styles.label}>What went wrong</h3>
      <p className={styles.fault} title={fault.code}>
        {title !== undefined && <b>{title}. </b>}
        <Line text={fault.message} limit={longest} />
      </p>
      {advice !== undefined && <p>{advice}</p>}
      <SettingsWay fault={fault} />
    </section>
  )
}
