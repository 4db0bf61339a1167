'use client'
/** Shows the drawn version, or how many changes the draft has since, and opens the versions. */
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
