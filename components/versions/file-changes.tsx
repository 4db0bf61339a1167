'use client'
/** Files that differ between two versions of a folder, each with the lines that changed. */
import { useMemo } from 'react'
import { plural } from '#components/run/figures'
import { Chip } from '#components/ui/bits'
import { diffLines } from '#lib/graph/diff'
import { visible } from '#lib/spec/visible'
import type { SkillChange } from '#lib/wire/skills'
import styles from './file-changes.module.css'
import { LineDiff } from './line-diff'

/** The first few are open. */
const mostOpen = 3

export function FileChanges({ changes }: { changes: readonly SkillChange[] }) {
  const counts = (['changed', 'added', 'removed'] as const).flatMap((kind) => {
    const count = changes.filter(({ change }) => change === kind).length
    return count === 0 ? [] : [`${plural(count, 'file')} ${kind}`]
  })
  return (
    <>
      <p className={styles.counts}>
        {counts.length === 0 ? 'No file has changed.' : `${counts.join(', ')}.`}
      </p>
      <ul className={styles.files} aria-label="Changed files">
        {changes.map((each, at) => (
          <li key={each.path}>
            <details open={at < mostOpen}>
              <summary>
                <code>{visible(each.path)}</code>
                <Chip tone="line">{each.change}</Chip>
              </summary>
              <FileChange change={each} />
            </details>
          </li>
        ))}
      </ul>
    </>
  )
}

function FileChange({ change: { path, before, after, change } }: { change: SkillChange }) {
  const canCompare = (before !== null || change === 'added') && (after !== null || change === 'removed')
  const lines = useMemo(() => {
    if (!canCompare) return []
    const all = diffLines(visible(before ?? ''), visible(after ?? ''))
    // Of a file that is only on one side, the other side is one empty line.
    const other = change === 'added' ? 'removed' : change === 'removed' ? 'added' : undefined
    return all.filter(({ kind }) => kind !== other)
  }, [before, after, change, canCompare])
  if (!canCompare) return <p className={styles.quiet}>It is not text, or too long to compare.</p>
  if (lines.length === 0) return <p className={styles.quiet}>It is empty.</p>
  return <LineDiff lines={lines} label={`Changes of ${path}`} />
}
