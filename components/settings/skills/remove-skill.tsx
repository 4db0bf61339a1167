'use client'
/** Asks before a skill is removed, and names the agents that use it. */
import { useRemoveSkill } from '#components/data/skills'
import { RemovalDialog } from '#components/ui/removal-dialog'
import { listFirstNames } from '#lib/spec/tool-class'
import type { SkillView } from '#lib/wire/skills'

export function RemoveSkill({ skill: { name, usedBy }, onClose }: { skill: SkillView; onClose(): void }) {
  const removal = useRemoveSkill()
  const users = listFirstNames(usedBy.map((each) => each.title || each.name))
  return (
    <RemovalDialog
      title={`Remove ${name}?`}
      verb="Remove"
      isPending={removal.isPending}
      error={removal.error}
      onRemove={() => removal.mutate(name, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        {usedBy.length === 0
          ? 'No agent uses it.'
          : `${users} ${usedBy.length === 1 ? 'uses' : 'use'} it, and ${usedBy.length === 1 ? 'runs' : 'run'} without it from then on.`}{' '}
        Its files are deleted from this server, with the earlier versions. Save the ZIP file first if you may
        want it back.
      </p>
    </RemovalDialog>
  )
}
