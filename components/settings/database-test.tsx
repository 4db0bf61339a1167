'use client'
/** What a test of a database found: version, role and rights of each connection, or why it failed. */
import { Icon } from '#components/ui/icon'
import type { DatabaseTest } from '#lib/wire/databases'
import { type Finding, findingsOf } from './database-words'
import styles from './settings.module.css'

const icons: Readonly<Record<Finding['tone'], string>> = {
  ok: 'circle-check',
  warn: 'triangle-alert',
  error: 'circle-x',
}

export function DatabaseFindings({ test }: { test: DatabaseTest }) {
  const findings = [...findingsOf(test.read, 'read'), ...(test.write ? findingsOf(test.write, 'write') : [])]
  return (
    <ul className={styles.findings} role="status">
      {findings.map(({ tone, text }) => (
        <li key={text} data-tone={tone}>
          <Icon name={icons[tone]} size={14} className={styles.mark} />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  )
}
