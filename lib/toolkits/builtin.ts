/** The toolkit of the built-in tools: chosen by globs and offered in the order of the globs. */
import { z } from 'zod'
import { glob } from '#lib/spec/config'
import { globMatcher } from '#lib/spec/glob'
import type { Tool } from '#lib/spec/tool'
import type { Toolkit } from '#lib/spec/toolkit'

const settings = z.object({
  tools: z.array(glob).min(1).max(100).meta({
    title: 'Tools',
    description: 'Names or patterns, as in "schema.*"; offered in this order.',
    format: 'globs',
  }),
  askFirst: z.boolean().default(true).meta({
    title: 'Ask before changes',
    description:
      'A person decides on each call of a tool that may change what cannot be changed back, such as sql.write and shell.run, before it runs. When this is off, only policies decide that.',
  }),
})

export const builtin: Toolkit<typeof settings> = {
  id: 'builtin',
  label: 'Built-in tools',
  help: 'Several tools that come with Loopwright in one part: files of the thread, SQL over registered databases, arithmetic, time.',
  keywords: ['tools', 'several', 'group', 'set', 'many'],
  icon: 'wrench',
  family: 'tool',
  settings,
  scope: { list: 'tools' },
  initial: { tools: ['math.calculate', 'time.now'] },
  async open(entry, context) {
    const chosen = new Map<string, Tool>()
    for (const each of entry.tools) {
      const fits = globMatcher(each)
      for (const tool of context.tools) if (fits(tool.name)) chosen.set(tool.name, tool)
    }
    return [...chosen.values()].map((tool) => (entry.askFirst === false ? unattended(tool) : tool))
  },
}

function unattended({ asksFirst: _, ...tool }: Tool): Tool {
  return tool
}
