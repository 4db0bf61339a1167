'use client'
/** A line diff of two texts: removed lines, added lines, and a few unchanged lines around them. */
import { useMemo, useState } from 'react'
import { count, plural } from '#components/run/figures'
import { Button } from '#components/ui/button'
import { LongText } from '#components/ui/long-text'
import shared from '#components/ui/shared.module.css'
import type { DiffLine } from '#lib/graph/diff'
import { countRows, cutLines, firstRuns, type LineRun } from './cut-lines'
import styles from './line-diff.module.css'

const signs: Record<DiffLine['kind'], string> = { same: ' ', added: '+', removed: '−' }
/** Characters of a line rendered before the person asks for more; hundreds of lines may be shown. */
const longestLine = 2_000
/** Lines rendered at once. */
const portion = 300

const words: Record<DiffLine['kind'], string> = { same: '', added: 'added: ', removed: 'removed: ' }

export function LineDiff({ lines, label }: { lines: readonly DiffLine[]; label: string }) {
  const [most, setMost] = useState(portion)
  const runs = useMemo(() => cutLines(lines), [lines])
  const left = useMemo(() => countRows(runs), [runs]) - most
  return (
    <section className={styles.diff} aria-label={label} tabIndex={0}>
      {firstRuns(runs, most).map((run) => (
        <Run key={run.at} run={run} />
      ))}
      {left > 0 && (
        <Button size="s" className={styles.more} onClick={() => setMost(most + portion)}>
          Show {count(Math.min(portion, left))} of {plural(left, 'more line')}
        </Button>
      )}
    </section>
  )
}

function Run({ run }: { run: LineRun }) {
  if (run.kind === 'hidden') return <p className={styles.hidden}>{plural(run.count, 'line')} the same</p>
  return run.lines.map(({ kind, text }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of a diff never move
    <p key={run.at + index} className={styles.line} data-kind={kind}>
      <span aria-hidden="true">{signs[kind]}</span>
      {kind !== 'same' && <span className={shared.unseen}>{words[kind]}</span>}
      <span>{text === '' ? '\u00a0' : <LongText text={text} first={longestLine} />}</span>
    </p>
  ))
}
