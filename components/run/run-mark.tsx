/** The icon of a run's status in its colour, shown next to the word. */

import { Spinner, type Tone } from '#components/ui/bits'
import { Icon } from '#components/ui/icon'
import shared from '#components/ui/shared.module.css'
import type { RunStatus } from '#lib/spec/event'
import styles from './run-mark.module.css'
import { statusWords } from './status-words'

export function RunMark({ status, hasWord }: { status: RunStatus; hasWord?: boolean }) {
  const { word, icon } = statusWords[status]
  return (
    <span className={styles.mark} data-tone={toneOf(status)} title={hasWord ? undefined : word}>
      {status === 'running' ? <Spinner size={14} /> : <Icon name={icon} size={14} />}
      {hasWord ? <span className={styles.word}>{word}</span> : <span className={shared.unseen}>{word}</span>}
    </span>
  )
}

/** A limit is a policy's ruling and not an error, so it has the colour of policies. */
function toneOf(status: RunStatus): Tone {
  return status === 'max_steps' || status === 'budget' ? 'policy' : statusWords[status].tone
}
