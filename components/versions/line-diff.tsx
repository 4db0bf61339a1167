'use client'
/** Two texts as one, line by line: what went, what came, and a little of what stayed round it. */
import { plural } from '#components/trace/figures'
import { LongText } from '#components/ui/long-text'
import type { DiffLine } from '#lib/graph/diff'
import { cutLines, type LineRun } from './cut-lines'
import styles from './line-diff.module.css'

const signs: Record<DiffLine['kind'], string> = { same: ' ', added: '+', removed: '−' }
/** Characters of one line drawn before more is asked for: hundreds of them may be shown. */
const longestLine = 2_000

const words: Record<DiffLine['kind'], string> = { same: '', added: 'added: ', removed: 'removed: ' }

export function LineDiff({ lines, label }: { lines: readonly DiffLine[]; label: string }) {
  return (
    <section className={styles.diff} aria-label={label} tabIndex={0}>
      {cutLines(lines).map((run) => (
        <Run key={run.at} run={run} />
      ))}
    </section>
  )
}

function Run({ run }: { run: LineRun }) {
  if (run.kind === 'hidden') return <p className={styles.hidden}>{plural(run.count, 'line')} the same</p>
  return run.lines.map(({ kind, text }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of a difference never move
    <p key={run.at + index} className={styles.line} data-kind={kind}>
      <span aria-hidden="true">{signs[kind]}</span>
      {kind !== 'same' && <span className={styles.spoken}>{words[kind]}</span>}
      <span>{text === '' ? '\u00a0' : <LongText text={text} first={longestLine} />}</span>
    </p>
  ))
}
