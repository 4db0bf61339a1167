'use client'
/** The footer of an answer: copy it, ask again, open its run; how long it took. */
import type { ReactNode } from 'react'
import { duration } from '#components/run/figures'
import { ButtonLink, IconButton } from '#components/ui/button'
import { CopyButton } from '#components/ui/copy-button'
import styles from './chat.module.css'

export interface AnswerFootProps {
  /** The run that the foot leads to; null where it leads to none. */
  readonly runId: string | null
  readonly text: string
  /** Null if it never began. */
  readonly ms: number | null
  readonly pager: ReactNode
  /** Null where the question cannot be asked again. */
  readonly onAgain: (() => void) | null
}

export function AnswerFoot({ runId, text, ms, pager, onAgain }: AnswerFootProps) {
  return (
    <footer className={styles.foot}>
      {pager}
      {text !== '' && <CopyButton label="Copy the answer" text={() => text} />}
      {onAgain !== null && (
        <IconButton icon="rotate-ccw" size="s" label="Ask again for another answer" onClick={onAgain} />
      )}
      {runId !== null && (
        <ButtonLink size="s" href={`/runs/${encodeURIComponent(runId)}`}>
          See the run
        </ButtonLink>
      )}
      {ms !== null && <span className={styles.took}>{duration(ms)}</span>}
    </footer>
  )
}
