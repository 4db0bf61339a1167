/** The policy `repeat`: how often the same call may fail before it is refused. */
import { z } from 'zod'
import { defaultRepeat, type Policy } from '#lib/spec/policy'
import { countOf } from './words'

const settings = z.object({
  limit: z.int().min(1).max(100).default(defaultRepeat).meta({
    title: 'Most failures',
    description:
      'After this many failures the same tool with the same arguments is refused, with a hint to try another way.',
    unit: 'failures',
  }),
})

export const repeat: Policy<typeof settings> = {
  id: 'repeat',
  label: 'Stop repeats',
  help: 'Refuses a call that has failed too often with the same arguments. Without this part the limit is 3; if there are several, the lowest applies.',
  keywords: ['repeat', 'loop', 'again', 'same', 'stuck', 'failing', 'duplicate', 'limit'],
  icon: 'repeat',
  settings,
  scoped: true,
  implied: true,
  says: ({ limit }) =>
    limit === 1
      ? 'Stops after the same call fails once'
      : `Stops after the same call fails ${countOf(limit, 'time')}`,
  stages: ['repeat'],
  rule({ limit }, _stage, question) {
    if (question.moment === 'offer' || question.past.failed < limit) return undefined
    const times = question.past.failed === 1 ? 'once' : `${question.past.failed} times`
    return {
      verdict: 'deny',
      reason: `the same call has failed ${times}; change the arguments, try another tool, or answer with what is known`,
    }
  },
}
