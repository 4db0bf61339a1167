'use client'
/** Asks before a skill is removed. */
import { useRemoveSkill } from '#components/data/skills'
import type { SkillView } from '#lib/wire/skills'
import { RemoveUsed } from '../remove-used'

export function RemoveSkill({ skill: { name, usedBy }, onClose }: { skill: SkillView; onClose(): void }) {
  const removal = useRemoveSkill()
  return (
    <RemoveUsed
      name={name}
      usedBy={usedBy}
      then="will run without it"
      removal={removal}
      onRemove={() => removal.mutate(name, { onSuccess: onClose })}
      onClose={onClose}
    >
      Its files and its earlier versions are deleted from this server. To be able to add it again, save it as
      a ZIP file first.
    </RemoveUsed>
  )
}
