'use client'
/**
 * The changes between two configs, one sentence each, with their paths in the config; long texts as a line
 * diff.
 */
import { Icon } from '#components/ui/icon'
import type { ConfigChange } from '#lib/graph/diff'
import styles from './change-list.module.css'
import { LineDiff } from './line-diff'

const icons: Record<ConfigChange['kind'], { icon: string; word: string }> = {
  added: { icon: 'plus', word: 'Added' },
  removed: { icon: 'minus', word: 'Removed' },
  moved: { icon: 'arrow-down-up', word: 'Moved' },
  changed: { icon: 'pencil', word: 'Changed' },
}

export function ChangeList({ changes }: { changes: readonly ConfigChange[] }) {
  return (
    <ul className={styles.changes} aria-label="Changes">
      {changes.map((change) => (
        <Change key={`${change.kind} ${change.before} ${change.after}`} change={change} />
      ))}
    </ul>
  )
}

function Change({ change: { kind, before, after, text, lines } }: { change: ConfigChange }) {
  const { icon, word } = icons[kind]
  const path = after ?? before ?? ''
  return (
    <li data-kind={kind}>
      <span className={styles.mark} title={word}>
        <Icon name={icon} size={14} />
      </span>
      <span className={styles.text}>{text}</span>
      <code className={styles.path} title={path}>
        {path}
      </code>
      {lines !== undefined && (
        <div className={styles.lines}>
          <LineDiff lines={lines} label={text} />
        </div>
      )}
    </li>
  )
}
