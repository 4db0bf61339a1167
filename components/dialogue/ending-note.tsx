'use client'
/**
 * How a run ended, unless with a plain answer: its status, the reason, what to do, and a button to ask again.
 */
import Link from 'next/link'
import { endingOf } from '#components/run/endings'
import { statusWords } from '#components/run/status-words'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import shared from '#components/ui/shared.module.css'
import type { RunError, RunStatus } from '#lib/spec/event'
import styles from './ending-note.module.css'

export interface EndingNoteProps {
  readonly status: RunStatus
  readonly fault: RunError | null
  /** The address of a section of the settings; null where nothing leads there. */
  readonly settingsOf: ((section: string) => string) | null
  /** It ended before the page was opened, so it is not announced. */
  readonly isPast?: boolean
  /** Null where the question cannot be asked again. */
  readonly onAgain: (() => void) | null
}

const longestFault = 4_000

export function EndingNote({ status, fault, settingsOf, isPast, onAgain }: EndingNoteProps) {
  if (status === 'completed' && fault === null) return null
  const ending = fault === null ? undefined : endingOf(fault)
  const href = ending?.anchor === undefined ? undefined : settingsOf?.(ending.anchor)
  const { word, icon, tone } = statusWords[status]
  const isFault = (ending?.tone ?? tone) === 'error'
  return (
    <div
      className={styles.ending}
      data-tone={isFault ? 'error' : (ending?.tone ?? 'plain')}
      role={isPast ? undefined : isFault ? 'alert' : 'status'}
    >
      <Icon name={ending?.tone === 'error' ? 'circle-x' : icon} size={14} className={styles.endingMark} />
      <div>
        <p>
          <b>{ending?.title ?? word}</b>
          {fault !== null && ending === undefined && (
            <>
              {' '}
              <Line text={fault.message} limit={longestFault} />
            </>
          )}
        </p>
        {fault !== null && ending !== undefined && (
          <p>
            <Line text={fault.message} limit={longestFault} />
          </p>
        )}
        {ending?.advice !== undefined && <p className={styles.advice}>{ending.advice}</p>}
        {(onAgain !== null || href !== undefined) && (
          <div className={styles.ways}>
            {onAgain !== null && status !== 'completed' && (
              <Button size="s" icon="rotate-ccw" onClick={onAgain}>
                {status === 'cancelled' ? 'Ask again' : 'Try again'}
              </Button>
            )}
            {href !== undefined && (
              <Link className={shared.link} href={href}>
                Open Settings
              </Link>
            )}
          </div>
        )}
      </div>
    </div>
  )
}
