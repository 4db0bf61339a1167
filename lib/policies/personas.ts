/** The policy `personas`: names under which people see the calls of tools. */
import { z } from 'zod'
import { personaName } from '#lib/spec/persona'
import type { Policy } from '#lib/spec/policy'
import { countOf } from './words'

const settings = z.object({
  names: z
    .record(z.string().min(1).max(256), personaName)
    .refine((names) => Object.keys(names).length <= 200, 'at most 200 names')
    .default({})
    .meta({
      title: 'Names',
      description:
        'By tool name or pattern, as in sql.*: who makes the calls, as people read it. An exact name counts before a pattern.',
    }),
  generate: z.boolean().default(false).meta({
    title: 'Let the model choose',
    description:
      'Asks the model once at the start of each run for names of at most 6 characters that fit the task, for the tools without a name above. If it fails, there are just no names.',
  }),
})

export const personas: Policy<typeof settings> = {
  id: 'personas',
  label: 'Personas',
  help: 'Gives the calls of tools the names of people, which are shown on them. The model does not see them. If there are several, the last one applies.',
  keywords: ['persona', 'employee', 'name', 'role', 'badge', 'character', 'team', 'who'],
  icon: 'bot',
  settings,
  scoped: false,
  lastWins: true,
  says({ names, generate }) {
    const count = Object.keys(names).length
    const named = count === 0 ? '' : `Names for ${countOf(count, 'tool')}`
    if (!generate) return named || undefined
    return named === '' ? 'The model names the tools for each task' : `${named}, the rest named by the model`
  },
  limit({ names, generate }, limits) {
    const given = Object.entries(names)
    if (given.length > 0 || generate) limits.personas = { names: given, generate }
    else delete limits.personas
  },
}
