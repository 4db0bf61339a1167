/** The policy `budget`: how much a run may use before it ends. */
import { z } from 'zod'
import type { Policy, Ruling } from '#lib/spec/policy'
import { countOf } from './words'

const settings = z.object({
  tokens: z.int().positive().max(1_000_000_000).optional().meta({
    title: 'Tokens',
    description: 'The most tokens, input and output, of all answers together. Applies to the whole run.',
    unit: 'tokens',
  }),
  usd: z.number().positive().max(1_000_000).optional().meta({
    title: 'Cost',
    description:
      'The most US dollars, at the prices in Settings. Applies to the whole run, which does not start without a known price.',
    unit: '$',
  }),
  seconds: z.number().positive().max(2_592_000).optional().meta({
    title: 'Time',
    description:
      'The longest time from the start. Applies to the whole run, and stops what is still running.',
    unit: 's',
  }),
  calls: z.int().positive().max(1_000_000).optional().meta({
    title: 'Calls',
    description: 'The most calls in a run. The call beyond it ends the run.',
    unit: 'calls',
  }),
  callsPerStep: z.int().positive().max(1_000_000).optional().meta({
    title: 'Calls a step',
    description: 'The most calls of one answer. Calls beyond it are skipped, and the run continues.',
    unit: 'calls',
  }),
})

export const budget: Policy<typeof settings> = {
  id: 'budget',
  label: 'Budget',
  help: 'Limits the tokens, money, time and calls of a run. Wired to a tool, it counts only the calls of that tool. If there are several, the lowest applies.',
  keywords: [
    'cost',
    'money',
    'limit',
    'price',
    'dollar',
    'spend',
    'tokens',
    'cap',
    'quota',
    'calls',
    'maximum',
  ],
  icon: 'gauge',
  settings,
  scoped: true,
  inside: (settings) => settings,
  stages: ['budget'],
  says({ tokens, usd, seconds, calls, callsPerStep }) {
    const limits = [
      tokens !== undefined && countOf(tokens, 'token'),
      usd !== undefined && `$${usd}`,
      seconds !== undefined && countOf(seconds, 'second'),
      calls !== undefined && countOf(calls, 'call'),
      callsPerStep !== undefined && `${countOf(callsPerStep, 'call')} a step`,
    ].filter((each) => each !== false)
    return limits.length === 0 ? undefined : `At most ${limits.join(', ')}`
  },
  rule({ calls, callsPerStep }, _stage, question): Ruling | undefined {
    if (question.moment === 'offer') return undefined
    const { started, startedInStep } = question.past
    if (calls !== undefined && started >= calls)
      return {
        verdict: 'limit',
        reason: `the budget of ${countOf(calls, 'call')} is used up`,
        ends: 'budget',
      }
    if (callsPerStep !== undefined && startedInStep >= callsPerStep)
      return {
        verdict: 'limit',
        reason: `a step may make ${countOf(callsPerStep, 'call')}, and this one has`,
      }
    return undefined
  },
  limit({ tokens, usd, seconds }, limits) {
    const { budget: left } = limits
    limits.budget = {
      tokens: Math.min(left.tokens, tokens ?? left.tokens),
      usd: Math.min(left.usd, usd ?? left.usd),
      seconds: Math.min(left.seconds, seconds ?? left.seconds),
    }
  },
}
