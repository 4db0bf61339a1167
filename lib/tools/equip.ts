/** The tool `tools.equip`: switches groups of tools on and off, all of them at once. */
import { z } from 'zod'
import { equipName, type Tool, type ToolOutput, tool } from '#lib/spec/tool'

/** What the model is told of a group. */
interface Equippable {
  readonly name: string
  readonly description: string
  readonly notes: string
}

/** The tool for these groups of an agent. */
export function equip(groups: readonly Equippable[]): Tool {
  const shape = Object.fromEntries(
    groups.map(({ name, description }) => [name, z.boolean().default(false).meta({ description })]),
  )
  return tool({
    name: equipName,
    label: 'Switch tool groups',
    keywords: ['group', 'activate', 'tools'],
    description:
      'Sets which groups of tools are active. Groups that are set to true are active afterwards; all others, also those that you leave out, are not. Their tools can be called from the next step on. Returns notes on how to use them.',
    icon: 'boxes',
    risk: 'read',
    aliases: ['reset_equipped_tools'],
    input: z.object(shape),
    async run(wanted) {
      return switched(groups.filter(({ name }) => wanted[name] === true))
    },
  })
}

function switched(active: readonly Equippable[]): ToolOutput {
  const names = active.map(({ name }) => name)
  const first =
    names.length === 0
      ? 'No group is active now.'
      : `Active groups: ${names.join(', ')}. Their tools can be called from the next step on.`
  const notes = active
    .filter(({ notes }) => notes.trim() !== '')
    .map(({ name, notes }) => `<notes group="${name}">\n${notes.trim()}\n</notes>`)
  return { ok: true, blocks: [{ type: 'text', text: [first, ...notes].join('\n\n') }], groups: names }
}
