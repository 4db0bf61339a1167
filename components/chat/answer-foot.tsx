'use client'
/** The footer of an answer: copy it, ask again, open its run, rate it; how long it took. */
import type { ReactNode } from 'react'
import { duration } from '#components/run/figures'
import { MockChip } from '#components/run/mock-mark'
import { Rating } from '#components/run/rating'
import { ButtonLink, IconButton } from '#components/ui/button'
import { CopyButton } from '#components/ui/copy-button'
import type { Feedback } from '#lib/spec/feedback'
import type { MockedTool } from '#lib/spec/mock'
import styles from './chat.module.css'

export interface AnswerFootProps {
  /** The run of the answer; null where it is neither rated nor opened. */
  readonly runId: string | null
  /** Whether the foot leads to the run. */
  readonly isOpenable: boolean
  readonly text: string
  /** Null if it never began. */
  readonly ms: number | null
  readonly pager: ReactNode
  /** The tools whose calls mocks answered. */
  readonly mocked: readonly MockedTool[] | undefined
  /** What was said about the answer; undefined where it is not known yet. */
  readonly feedback?: Feedback | null
  /** Null where the question cannot be asked again. */
  readonly onAgain: (() => void) | null
}

export function AnswerFoot({
  runId,
  isOpenable,
  text,
  ms,
  pager,
  mocked,
  feedback,
  onAgain,
}: AnswerFootProps) {
  return (
    <footer className={styles.foot}>
      {pager}
      {text !== '' && <CopyButton label="Copy the answer" text={() => text} />}
      {onAgain !== null && (
        <IconButton icon="rotate-ccw" size="s" label="Ask again for another answer" onClick={onAgain} />
      )}
      {runId !== null && isOpenable && (
        <ButtonLink size="s" href={`/runs/${encodeURIComponent(runId)}`}>
          See the run
        </ButtonLink>
      )}
      <MockChip mocked={mocked} />
      {ms !== null && <span className={styles.took}>{duration(ms)}</span>}
      {runId !== null && (
        <Rating key={runId} runId={runId} {...(feedback !== undefined && { known: feedback })} />
      )}
    </footer>
  )
}
