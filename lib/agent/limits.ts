/** The numbers a run and its tools keep to, folded from the policies in their order. */
import { matchesAny } from '#lib/spec/glob'
import {
  type BoundPolicy,
  defaultLimits,
  defaultToolLimits,
  type Limits,
  type ToolLimits,
} from '#lib/spec/policy'
import type { BoundTool } from '#lib/spec/toolkit'

// A policy keeps the smaller number, so it is asked before the default stands: 50 steps are more than the default allows.
const none = Number.POSITIVE_INFINITY

export function limitsOf(policies: readonly BoundPolicy[]): Limits {
  const limits: Limits = { ...defaultLimits, maxSteps: none }
  for (const each of policies) each.limit(limits)
  if (limits.maxSteps === none) limits.maxSteps = defaultLimits.maxSteps
  return limits
}

export function toolLimitsOf(policies: readonly BoundPolicy[], tool: BoundTool): ToolLimits {
  const limits: ToolLimits = { maxChars: none, timeoutSeconds: none }
  for (const each of policies) if (covers(each, tool)) each.limitTool(limits)
  return {
    maxChars: limits.maxChars === none ? defaultToolLimits.maxChars : limits.maxChars,
    timeoutSeconds: limits.timeoutSeconds === none ? defaultToolLimits.timeoutSeconds : limits.timeoutSeconds,
  }
}

/** Scope is matched against names before any rename, so that a rename escapes nothing. */
export function covers(policy: BoundPolicy, tool: BoundTool): boolean {
  return policy.appliesTo === undefined || matchesAny(policy.appliesTo, tool.scopeName)
}
