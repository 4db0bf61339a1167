'use client'
/** Shows what replacing a skill would change, and asks. */
import { Button } from '#components/ui/button'
import { Dialog } from '#components/ui/dialog'
import { ErrorNote } from '#components/ui/notice'
import { FileChanges } from '#components/versions/file-changes'
import type { SkillPreview } from '#lib/wire/skills'
import styles from './skills.module.css'

interface ReplaceProps {
  readonly preview: SkillPreview
  readonly isPending: boolean
  /** Why it failed; null while it has not. */
  readonly error: unknown
  onReplace(): void
  onClose(): void
}

export function ReplaceSkill({ preview, isPending, error, onReplace, onClose }: ReplaceProps) {
  const { facts, changes } = preview
  return (
    <Dialog
      wide
      title={`Replace ${facts.name}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep the old one</Button>
          <Button variant="primary" disabled={isPending} onClick={onReplace}>
            Replace
          </Button>
        </>
      }
    >
      <p>The skill is off in the agents that use it until you have looked at the changes there too.</p>
      <div className={styles.changes}>
        <FileChanges changes={changes ?? []} />
      </div>
      {error !== null && <ErrorNote error={error} />}
    </Dialog>
  )
}
