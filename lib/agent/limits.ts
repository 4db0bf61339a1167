/** The limits of a run and of its tools, folded from the policies in their order. */
import { matchesAny } from '#lib/spec/glob'
import {
  type BoundPolicy,
  defaultLimits,
  defaultToolLimits,
  type Limits,
  type ToolLimits,
} from '#lib/spec/policy'
import type { BoundTool } from '#lib/spec/toolkit'

// A policy keeps the smaller number. So the fold begins at infinity and a default fills what is left:
// otherwise a policy could not set 50 steps, which is more than the default.
const none = Number.POSITIVE_INFINITY

export function limitsOf(policies: readonly BoundPolicy[]): Limits {
  const limits = unlimited()
  for (const each of policies) each.limit(limits)
  const { history } = defaultLimits
  if (limits.maxSteps === none) limits.maxSteps = defaultLimits.maxSteps
  if (limits.history.maxMessages === none) limits.history.maxMessages = history.maxMessages
  if (limits.history.maxTokens === none) limits.history.maxTokens = history.maxTokens
  return limits
}

function unlimited(): Limits {
  return {
    ...defaultLimits,
    maxSteps: none,
    budget: { ...defaultLimits.budget },
    history: { ...defaultLimits.history, maxMessages: none, maxTokens: none },
  }
}

export type BudgetKey = keyof Limits['budget']

/** The policies that set the smallest budgets, by budget; on a tie, the first. */
export function decidersOf(policies: readonly BoundPolicy[]): Partial<Record<BudgetKey, BoundPolicy>> {
  const deciders: Partial<Record<BudgetKey, BoundPolicy>> = {}
  const limits = unlimited()
  for (const each of policies) {
    const before = { ...limits.budget }
    each.limit(limits)
    for (const key of budgetKeys) if (limits.budget[key] < before[key]) deciders[key] = each
  }
  return deciders
}

const budgetKeys: readonly BudgetKey[] = ['tokens', 'usd', 'seconds']

export function toolLimitsOf(policies: readonly BoundPolicy[], tool: BoundTool): ToolLimits {
  const limits: ToolLimits = { maxChars: none, timeoutSeconds: none, retries: [] }
  for (const each of policies) if (covers(each, tool)) each.limitTool(limits)
  return {
    maxChars: limits.maxChars === none ? defaultToolLimits.maxChars : limits.maxChars,
    timeoutSeconds: limits.timeoutSeconds === none ? defaultToolLimits.timeoutSeconds : limits.timeoutSeconds,
    retries: limits.retries,
    ...(limits.masks && { masks: limits.masks }),
  }
}

/** Matches the scope against names before any rename, so a rename cannot escape a policy. */
export function covers(policy: BoundPolicy, tool: BoundTool): boolean {
  if (policy.source !== undefined && policy.source !== tool.source) return false
  return policy.appliesTo === undefined || matchesAny(policy.appliesTo, tool.scopeName)
}
