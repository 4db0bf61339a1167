/** The policy `tool-choice`: whether the model may, must not or must call tools. */
import { z } from 'zod'
import type { Policy } from '#lib/spec/policy'

const settings = z.object({
  choice: z
    .union([
      z.enum(['auto', 'none', 'required']),
      z.strictObject({ tool: z.string().min(1).max(256).meta({ format: 'tool' }) }),
    ])
    .default('auto')
    .meta({
      title: 'Choice',
      description:
        'auto: the model decides. none: it may call nothing. required: its first answer must call a tool. {"tool": "name"}: its first answer must call this one.',
    }),
})

export const toolChoice: Policy<typeof settings> = {
  id: 'tool-choice',
  label: 'Tool choice',
  help: 'Sets whether the model may or must call tools. After the first calls the model decides by itself again. If there are several, the last applies.',
  keywords: ['force', 'require', 'required', 'must', 'none', 'auto', 'forbid'],
  icon: 'hand',
  settings,
  scoped: false,
  lastWins: true,
  stages: ['skills.deny'],
  says({ choice }) {
    if (choice === 'auto') return undefined
    if (choice === 'none') return 'No tool may be called'
    return `The first answer must call ${choice === 'required' ? 'a tool' : choice.tool}`
  },
  rule({ choice }, _stage, { moment }) {
    if (choice !== 'none' || moment === 'offer') return undefined
    return { verdict: 'deny', reason: 'tool-choice is none, so nothing may be called' }
  },
  limit({ choice }, limits) {
    limits.toolChoice = choice
  },
}
