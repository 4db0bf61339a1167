import { expect, test } from 'vitest'
import type { PolicyEntry } from '#lib/spec/config'
import { defaultLimits, type Limits } from '#lib/spec/policy'
import { bindPolicies } from './bind'
import { policies } from './index'

/** The limits after these entries, starting without any limit. */
function historyOf(...entries: Omit<PolicyEntry, 'use'>[]): Limits['history'] {
  const none = { maxMessages: Number.POSITIVE_INFINITY, maxTokens: Number.POSITIVE_INFINITY }
  const limits: Limits = { ...defaultLimits, history: { ...none, clearToolTurns: false } }
  const named = entries.map((each) => ({ ...each, use: 'history' }))
  for (const each of bindPolicies(named, policies)) each.limit(limits)
  return limits.history
}

test('an entry that says nothing keeps the defaults, and the defaults stay as they are (S3-20)', () => {
  expect(historyOf({})).toEqual({ maxMessages: 50, maxTokens: 100_000, clearToolTurns: false })
  historyOf({ maxMessages: 3, clearToolTurns: true })
  expect(defaultLimits.history).toEqual({ maxMessages: 50, maxTokens: 100_000, clearToolTurns: false })
})

test('one may keep more than the default; of several the smallest of each decides (S3-20)', () => {
  expect(historyOf({ maxMessages: 200, maxTokens: 500_000 })).toEqual({
    maxMessages: 200,
    maxTokens: 500_000,
    clearToolTurns: false,
  })
  const several = [{ maxMessages: 200, maxTokens: 10 }, { maxMessages: 9, clearToolTurns: true }, {}]
  expect(historyOf(...several)).toEqual({ maxMessages: 9, maxTokens: 10, clearToolTurns: true })
})

test.each([{ maxMessages: 0 }, { maxTokens: 0 }, { maxMessages: 1.5 }, { clearToolTurns: 'yes' }])(
  '%j is refused',
  (entry) => {
    expect(() => historyOf(entry)).toThrow()
  },
)
