/** The policy `repeat`: how often the same call may fail before it is refused. */
import { z } from 'zod'
import { defaultRepeat, type Policy } from '#lib/spec/policy'
import { countOf } from './words'

const settings = z.object({
  limit: z.int().min(1).max(100).default(defaultRepeat).meta({
    title: 'Most failures',
    description:
      'A call with the same tool and arguments that failed so often is refused, with a hint to try another way.',
    unit: 'failures',
  }),
})

export const repeat: Policy<typeof settings> = {
  id: 'repeat',
  label: 'Repeat',
  help: 'Stops a model that makes the same failing call again and again; holds with 3 also when it is not drawn. Of several, the lowest decides.',
  icon: 'repeat',
  settings,
  scoped: true,
  implied: true,
  says: ({ limit }) => `The same call may fail ${countOf(limit, 'time')}`,
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
