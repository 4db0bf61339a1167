/** The policy `results`: how much of an observation is sent to the model. */
import { z } from 'zod'
import { defaultToolLimits, type Policy } from '#lib/spec/policy'
import { countOf } from './words'

const settings = z.object({
  maxChars: z.int().min(1).max(1_000_000).default(defaultToolLimits.maxChars).meta({
    title: 'Most characters',
    description: 'A longer result is cut for the model and says by how much; the trace keeps it whole.',
    unit: 'characters',
  }),
})

export const results: Policy<typeof settings> = {
  id: 'results',
  label: 'Shorten results',
  help: 'Cuts long results before the model reads them. If there are several, the lowest limit applies.',
  keywords: ['results', 'observation', 'truncate', 'cut', 'trim', 'length', 'characters', 'context', 'limit'],
  icon: 'scissors',
  settings,
  scoped: true,
  unsaid: true,
  says: ({ maxChars }) => `Results are cut after ${countOf(maxChars, 'character')}`,
  limitTool({ maxChars }, limits) {
    limits.maxChars = Math.min(limits.maxChars, maxChars)
  },
}
