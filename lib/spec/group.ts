/** What a group is: a set of tools that the model switches on and off together. */
import { z } from 'zod'

/** The group of every tool entry that names none; always active, and not an item of `groups`. */
export const basicGroup = 'basic'

const groupNameForm = 'lowercase letters, digits and single hyphens or underscores, as in "research"'

export const groupName = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+([_-][a-z0-9]+)*$/, groupNameForm)

/** The config key of a tool entry that holds its group; the drawing shows it as a wire. */
export const groupKey = 'group'

/** A set of tools that the model switches on and off together. */
export const group = z
  .strictObject({
    name: groupName.meta({
      title: 'Name',
      description: 'What the model switches the group by. Unique in the agent.',
      form: groupNameForm,
      // Written even when it equals its default.
      always: true,
    }),
    description: z.string().max(1024).default('').meta({
      title: 'Description',
      description: 'Tells the model what the tools of the group are for, while they are off as well.',
      format: 'multiline',
    }),
    notes: z.string().max(16_384).default('').meta({
      title: 'Notes',
      description: 'The model reads them when it switches the group on: how to use its tools.',
      format: 'multiline',
    }),
    active: z.boolean().default(false).meta({
      title: 'Active at the start',
      description: 'Otherwise its tools are offered only after the model has switched the group on.',
    }),
  })
  .meta({ title: 'Group' })
export type GroupSettings = z.output<typeof group>

/** The part of a config that names groups. */
interface Grouped {
  readonly groups: readonly Pick<GroupSettings, 'name'>[]
  readonly tools: readonly { readonly group?: string }[]
}

/** Groups that cannot be told apart, and entries in a group that does not exist. */
export function groupFaults({ groups, tools }: Grouped): { path: string; message: string }[] {
  const faults: { path: string; message: string }[] = []
  const names = new Set<string>([basicGroup])
  for (const [index, { name }] of groups.entries()) {
    const path = `groups/${index}/name`
    if (name === basicGroup) faults.push({ path, message: `"${name}" is the group that is always active` })
    else if (names.has(name)) faults.push({ path, message: `Another group is named "${name}" as well` })
    names.add(name)
  }
  for (const [index, { group: name = basicGroup }] of tools.entries())
    if (!names.has(name))
      faults.push({ path: `tools/${index}/${groupKey}`, message: `There is no group "${name}"` })
  return faults
}
