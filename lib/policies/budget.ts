/** The policy `budget`: how much a run may use before it ends. */
import { z } from 'zod'
import type { Policy, Ruling } from '#lib/spec/policy'
import { countOf } from './words'

const settings = z.object({
  tokens: z.int().positive().max(1_000_000_000).optional().meta({
    title: 'Tokens',
    description: 'Most tokens of all answers of the model, input and output. Holds for the whole run.',
    unit: 'tokens',
  }),
  usd: z.number().positive().max(1_000_000).optional().meta({
    title: 'Cost',
    description:
      'Most US dollars, at the prices in Settings. Holds for the whole run; without a known price it does not start.',
    unit: '$',
  }),
  seconds: z.number().positive().max(2_592_000).optional().meta({
    title: 'Time',
    description: 'Longest time from the start. Holds for the whole run and stops what is at work.',
    unit: 's',
  }),
  calls: z.int().positive().max(1_000_000).optional().meta({
    title: 'Calls',
    description: 'Most calls in the run; the call over it ends the run.',
    unit: 'calls',
  }),
  callsPerStep: z.int().positive().max(1_000_000).optional().meta({
    title: 'Calls a step',
    description: 'Most calls of one answer; those over it are left out, and the run goes on.',
    unit: 'calls',
  }),
})

export const budget: Policy<typeof settings> = {
  id: 'budget',
  label: 'Budget',
  help: 'Limits what a run may use up: tokens, money, time, calls. Wired to tools, it counts the calls of these alone. Of several, the smallest decides.',
  icon: 'gauge',
  settings,
  scoped: true,
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
