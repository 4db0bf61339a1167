/** The icon at the start of a row, and the state, countdown or word at its end. */

import { useShowEntry } from '#components/problems/show-entry'
import { countdown } from '#components/run/figures'
import type { ToolMark } from '#components/run/tool-icon'
import { Chip, Spinner } from '#components/ui/bits'
import { Icon } from '#components/ui/icon'
import shared from '#components/ui/shared.module.css'
import type { Row } from './row'
import type { When } from './trace-bars'
import styles from './trace-table.module.css'

const icons: Partial<Record<Row['kind'], string>> = {
  tools: 'wrench',
  retry: 'rotate-ccw',
  file: 'file-text',
  thought: 'text-align-start',
  ruling: 'shield',
  observation: 'corner-down-right',
  answer: 'message-square',
}

export function RowIcon({ row, mark }: { row: Row; mark: ToolMark }) {
  const icon = row.kind === 'call' ? mark.icon : row.kind === 'notice' ? noticeIcon(row) : icons[row.kind]
  if (icon === undefined) return null
  return (
    <span className={styles.icon} data-kind={row.kind} data-tone={row.tone} data-family={mark.family}>
      <Icon name={icon} size={14} />
    </span>
  )
}

/** Only what went wrong, or was stopped by a policy, has a sign of alarm. */
function noticeIcon({ tone, bar }: Row): string {
  if (tone === 'error') return 'circle-x'
  if (bar?.kind === 'model') return 'brain'
  return tone === 'denied' ? 'circle-alert' : 'info'
}

export function Chevron({ isOpen }: { isOpen: boolean }) {
  return <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} />
}

const tails: Partial<Record<Row['tone'], { icon: string; word: string }>> = {
  ok: { icon: 'check', word: 'ok' },
  error: { icon: 'circle-x', word: 'failed' },
  denied: { icon: 'ban', word: 'denied' },
}

export interface RowTailProps {
  readonly row: Row
  readonly now: number | null
  readonly when: When
  /** A search match is in the part of the text that the line does not show. */
  readonly isHidden: boolean
  readonly onReview: (() => void) | undefined
}

/** The state as an icon with its word, at the end of the row's line. */
export function RowTail({ row, now, when, isHidden, onReview }: RowTailProps) {
  const { kind, tone, tail, until, expiresAt } = row
  if (expiresAt !== undefined && when !== 'later') {
    return (
      <span className={styles.tail}>
        <Chip tone="wait" icon="hand">
          {expiresAt === null ? 'Waiting for you' : countdown(expiresAt - (now ?? expiresAt))}
        </Chip>
        {onReview !== undefined && (
          <button
            type="button"
            className={styles.review}
            onClick={(event) => {
              event.stopPropagation()
              onReview()
            }}
          >
            Review
          </button>
        )}
      </span>
    )
  }
  if (row.isModelTest && when !== 'later') return <ModelTest />
  if (isHidden) return <span className={styles.tail}>found inside</span>
  if (until !== undefined && now !== null) {
    return (
      <span className={styles.tail} data-tone="working">
        <Spinner size={14} />
        {againIn(until - now)}
      </span>
    )
  }
  if (kind !== 'call') return tail === undefined ? null : <Word text={tail} />
  if (tone === 'working' || when === 'now') {
    return (
      <span className={styles.tail} data-tone="working">
        {row.call?.background !== undefined && <span className={styles.word}>{tail}</span>}
        <Spinner size={14} />
        <span className={shared.unseen}>running</span>
      </span>
    )
  }
  const sign = tails[tone]
  const status = row.call?.status ?? ''
  const word = tone === 'ok' ? tail : (tail ?? status)
  if (sign === undefined) return <Word text={word} />
  return (
    <span className={styles.tail} data-tone={tone}>
      <span className={styles.word}>{word}</span>
      <Icon name={sign.icon} size={14} />
      {tone === 'ok' && <span className={shared.unseen}>{sign.word}</span>}
    </span>
  )
}

function Word({ text }: { text: string | undefined }) {
  return (
    <span className={styles.tail}>
      <span className={styles.word}>{text}</span>
    </span>
  )
}

/** Shows the model, which can be tested there. */
function ModelTest() {
  const show = useShowEntry()('model')
  if (show === undefined) return null
  return (
    <span className={styles.tail}>
      <button
        type="button"
        className={styles.review}
        onClick={(event) => {
          event.stopPropagation()
          show()
        }}
      >
        Test this model
      </button>
    </span>
  )
}

/** In whole seconds, rounded up: nobody needs tenths of a second of a wait. */
function againIn(ms: number): string {
  return ms <= 0 ? 'again now' : `again in ${Math.ceil(ms / 1_000)} s`
}
