/** A policy for the test of adding parts: refuses calls that throw too many dice. */
import { z } from 'zod'
import type { Policy } from '#lib/spec/policy'

const settings = z.object({
  most: z.int().min(1).default(3).meta({ title: 'Most dice', description: 'In one throw.', unit: 'dice' }),
})

export const fewDice: Policy<typeof settings> = {
  id: 'few-dice',
  label: 'Few dice',
  help: 'Refuses to throw many dice at once.',
  icon: 'dice-5',
  settings,
  scoped: true,
  says: ({ most }) => `At most ${most} dice in one throw`,
  stages: ['risk'],
  rule({ most }, _stage, question) {
    if (question.moment === 'offer' || !(Number(question.args.count) > most)) return undefined
    return { verdict: 'deny', reason: `at most ${most} dice are thrown at once` }
  },
}
