/** For tests: policies that look at earlier calls of the run, or try a call again. */
import type { BoundPolicy, Limits } from '#lib/spec/policy'
import { createPolicy } from './rig.fixture'

export function budgeting(
  budget: Partial<Limits['budget']> & { calls?: number; callsPerStep?: number },
): BoundPolicy {
  const { calls: most = Infinity, callsPerStep = Infinity, ...given } = budget
  return createPolicy('budget', 'policies/2', {
    stages: ['budget'],
    limit(limits) {
      limits.budget = { ...limits.budget, ...given }
    },
    rule(_, asked) {
      if (asked.moment === 'offer') return undefined
      if (asked.past.started >= most)
        return { verdict: 'limit', reason: `the budget of ${most} calls is used up`, ends: 'budget' }
      return asked.past.startedInStep >= callsPerStep
        ? { verdict: 'limit', reason: `a step may make ${callsPerStep} calls` }
        : undefined
    },
  })
}

export function repeating(limit: number): BoundPolicy {
  return createPolicy('repeat', 'policies/3', {
    stages: ['repeat'],
    rule: (_, asked) =>
      asked.moment === 'call' && asked.past.failed >= limit
        ? { verdict: 'deny', reason: `this call has failed ${asked.past.failed} times; try another way` }
        : undefined,
  })
}

export function retrying(max: number, backoffMs: number): BoundPolicy {
  return createPolicy('retry', 'policies/4', {
    limitTool: (limits) => void limits.retries.push({ max, backoffMs }),
  })
}
