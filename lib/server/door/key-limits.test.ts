import { describe, expect, test } from 'vitest'
import type { AgentKeyRow } from '#lib/spec/agent-key'
import { isAppError } from '#lib/spec/errors'
import { checkBudget, createRequestLimit, dayOf, mostRunning } from './key-limits'

const key: AgentKeyRow = {
  id: 'key_1',
  agentId: 'agent_1',
  name: 'k',
  use: 'api',
  hash: '',
  hint: '',
  requestsPerMinute: 2,
  runsPerDay: 3,
  usdPerDay: 0.5,
  createdAt: 0,
  expiresAt: null,
  lastUsedAt: null,
}

function retryAfter(act: () => void): number | 'passed' | undefined {
  try {
    act()
    return 'passed'
  } catch (error) {
    if (!isAppError(error) || error.code !== 'too_many') throw error
    return error.detail.retryAfter
  }
}

test('requests are counted by the minute that begins with the first one, each key for itself', () => {
  let now = 1_000
  const count = createRequestLimit({ monotonic: () => now })
  const ask = (id = 'key_1') => retryAfter(() => count({ ...key, id }))
  expect([ask(), ask(), ask()]).toEqual(['passed', 'passed', 60])
  expect(ask('key_2')).toBe('passed')
  now += 59_000
  expect(ask()).toBe(1)
  now += 1_000
  expect([ask(), ask(), ask()]).toEqual(['passed', 'passed', 60])
})

describe('the budget of a day', () => {
  const noon = Date.UTC(2026, 10, 23, 12)
  const check = (given: Partial<Parameters<typeof checkBudget>[1]>, limits: Partial<AgentKeyRow> = {}) =>
    retryAfter(() =>
      checkBudget({ ...key, ...limits }, { now: noon, today: { runs: 0, usd: 0 }, running: 0, ...given }),
    )

  test('ends at 00:00 UTC', () => {
    expect(dayOf(noon)).toBe(Date.UTC(2026, 10, 23))
    expect(dayOf(Date.UTC(2026, 10, 23))).toBe(Date.UTC(2026, 10, 23))
  })
  test.each([
    ['below both limits', { today: { runs: 2, usd: 0.49 } }, {}, 'passed'],
    ['the runs are used up', { today: { runs: 3, usd: 0 } }, {}, 12 * 3_600],
    ['the dollars are used up', { today: { runs: 0, usd: 0.5 } }, {}, 12 * 3_600],
    ['no limits', { today: { runs: 1e6, usd: 1e6 } }, { runsPerDay: null, usdPerDay: null }, 'passed'],
    ['one run below the most at the same time', { running: mostRunning - 1 }, {}, 'passed'],
    ['the most runs at the same time', { running: mostRunning }, {}, undefined],
  ] as const)('%s', (_, given, limits, outcome) => {
    expect(check(given, limits)).toBe(outcome)
  })
})
