/** The small icon, for lists, of a run that was forked from another. */

import { Icon } from '#components/ui/icon'
import type { ForkPoint } from '#lib/spec/event'
import styles from './fork-mark.module.css'
import { pointWords, shortId } from './fork-point'

export function ForkMark({ from }: { from: ForkPoint | null }) {
  if (from === null) return null
  const words = `Forked from run ${shortId(from.runId)}, ${pointWords(from)}`
  return (
    <span role="img" aria-label={words} title={words} className={styles.mark}>
      <Icon name="git-fork" size={12} />
    </span>
  )
}
