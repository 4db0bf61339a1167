/** The policy `timeout`: how long one call may take. */
import { z } from 'zod'
import { defaultTimeoutSeconds, type Policy } from '#lib/spec/policy'
import { countOf } from './words'

const settings = z.object({
  seconds: z.number().positive().max(86_400).default(defaultTimeoutSeconds).meta({
    title: 'Time limit',
    description: 'Caps the time of each call, whatever the tool or its entry says.',
    unit: 's',
  }),
})

export const timeout: Policy<typeof settings> = {
  id: 'timeout',
  label: 'Time limit',
  help: 'Ends a call that takes too long. If there are several, the lowest applies.',
  keywords: ['timeout', 'slow', 'seconds', 'deadline', 'cancel', 'duration', 'maximum'],
  icon: 'timer',
  settings,
  scoped: true,
  says: ({ seconds }) => `Calls end after ${countOf(seconds, 'second')}`,
  limitTool({ seconds }, limits) {
    limits.timeoutSeconds = Math.min(limits.timeoutSeconds, seconds)
  },
}
