'use client'
/** The version of a skill that an agent uses. Where another is here, its changes are looked at before it is used. */
import { useState } from 'react'
import { useSkillChanges, useSkills } from '#components/data/skills'
import { Skeleton } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import { FileChanges } from '#components/versions/file-changes'
import type { JsonObject } from '#lib/spec/json'
import type { ControlProps } from './change'
import styles from './skill-version-field.module.css'
import { WideDialog } from './wide-dialog'

interface VersionProps extends ControlProps {
  readonly holder: JsonObject
}

export function SkillVersionField({ value, holder, onChange }: VersionProps) {
  const skills = useSkills()
  const [isOpen, setOpen] = useState(false)
  const name = typeof holder.name === 'string' ? holder.name : ''
  const now = skills.data?.items.find((each) => each.name === name)
  const hash = typeof value === 'string' ? value : ''
  if (name === '' || !skills.isSuccess || now?.hash === hash) return null
  if (now === undefined)
    return (
      <p className={styles.note} role="status">
        <Icon name="triangle-alert" size={12} />
        Off: this server does not have the skill. Import its folder in Settings; the agent runs without it
        until then.
      </p>
    )
  return (
    <div className={styles.change}>
      <p className={styles.note} role="status">
        <Icon name="triangle-alert" size={12} />
        Off: its files have changed since you chose it.
      </p>
      <Button size="s" onClick={() => setOpen(true)}>
        Look at the changes
      </Button>
      {isOpen && (
        <Changes
          name={name}
          from={hash}
          to={now.hash}
          onUse={() => {
            onChange(now.hash)
            setOpen(false)
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}

interface ChangesProps {
  readonly name: string
  readonly from: string
  readonly to: string
  onUse(): void
  onClose(): void
}

function Changes({ name, from, to, onUse, onClose }: ChangesProps) {
  const changes = useSkillChanges({ name, from, to })
  const isReady = changes.isSuccess && changes.data.to === to
  return (
    <WideDialog
      title={`What has changed in ${name}`}
      onClose={onClose}
      foot={
        <>
          <span className={styles.space} />
          <Button onClick={onClose}>Leave it off</Button>
          <Button variant="primary" disabled={!isReady} onClick={onUse}>
            Use the new version
          </Button>
        </>
      }
    >
      <div className={styles.changes}>
        {changes.isPending && <Skeleton height={160} />}
        {changes.isError && <ErrorNote error={changes.error} onRetry={() => void changes.refetch()} />}
        {changes.isSuccess &&
          (changes.data.items === null ? (
            <p>
              The version that you chose is not kept on this server, so the two cannot be compared. Read the
              files in Settings before you use the new version.
            </p>
          ) : (
            <FileChanges changes={changes.data.items} />
          ))}
      </div>
    </WideDialog>
  )
}
