'use client'
/** Which version is drawn, or how far the draft has gone since: the way to the versions. */
import { Icon } from '#components/ui/icon'
import { useDraft } from './use-versions'
import styles from './version-chip.module.css'
import { draftWords } from './words'

export function VersionChip({ agentId, onOpen }: { agentId: string; onOpen(): void }) {
  const words = draftWords(useDraft(agentId))
  if (words === null) return null
  return (
    <button type="button" className={styles.chip} title="Versions of this agent" onClick={onOpen}>
      <span>{words}</span>
      <Icon name="chevron-down" size={12} />
    </button>
  )
}
