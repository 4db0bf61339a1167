'use client'
/** The findings of a node that belong to none of its fields. */
import { FixButtons } from '#components/problems/fix-buttons'
import { Icon } from '#components/ui/icon'
import shared from '#components/ui/shared.module.css'
import type { Diagnostic } from '#lib/spec/errors'
import styles from './inspector.module.css'

const icons = { error: 'circle-alert', warning: 'triangle-alert', info: 'info' } as const
const words = { error: 'Error', warning: 'Warning', info: 'Note' } as const

export function Findings({ findings }: { findings: readonly Diagnostic[] }) {
  return findings.map((each) => (
    <div
      key={`${each.code} ${each.path} ${each.message}`}
      className={styles.finding}
      data-severity={each.severity}
    >
      <Icon name={icons[each.severity]} size={14} />
      <div>
        <span className={shared.unseen}>{words[each.severity]}: </span>
        {each.message}
        <div className={styles.fix}>
          <FixButtons diagnostic={each} />
        </div>
      </div>
    </div>
  ))
}
