/** The policy `steps`: how many steps a run may take, and what happens at the limit. */
import { z } from 'zod'
import { defaultLimits, type OnLimit, type Policy } from '#lib/spec/policy'
import { countOf } from './words'

const settings = z.object({
  max: z.int().min(1).max(1_000).default(defaultLimits.maxSteps).meta({
    title: 'Most steps',
    description: 'One step is one answer of the model and the calls it asked for.',
    unit: 'steps',
  }),
  onLimit: z.enum(['summarize', 'error', 'return_partial']).default(defaultLimits.onLimit).meta({
    title: 'At the limit',
    description:
      'Ask once more for a closing answer without tools, end with an error, or return what was said so far.',
  }),
})

const endings: Readonly<Record<OnLimit, string>> = {
  summarize: 'a closing answer',
  error: 'an error',
  return_partial: 'what was said so far',
}

export const steps: Policy<typeof settings> = {
  id: 'steps',
  label: 'Step limit',
  help: 'Limits how many steps a run may take. If there are several, the lowest applies.',
  keywords: ['steps', 'maximum', 'iterations', 'turns', 'loop', 'stop', 'limit'],
  icon: 'footprints',
  settings,
  scoped: false,
  unsaid: true,
  says: ({ max, onLimit }) => `At most ${countOf(max, 'step')}, then ${endings[onLimit]}`,
  limit({ max, onLimit }, limits) {
    if (max >= limits.maxSteps) return
    limits.maxSteps = max
    limits.onLimit = onLimit
  },
}
