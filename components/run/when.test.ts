import { describe, expect, it } from 'vitest'
import { moment, outcomeWords } from './when'

const now = new Date(2026, 8, 14, 15, 0).getTime()

describe('moment', () => {
  it('says only the time today, then yesterday, the day this year, and the year before that', () => {
    expect(moment(new Date(2026, 8, 14, 9, 5).getTime(), now)).toBe('09:05')
    expect(moment(new Date(2026, 8, 13, 0, 1).getTime(), now)).toBe('Yesterday, 00:01')
    expect(moment(new Date(2026, 8, 12, 23, 59).getTime(), now)).toMatch(/^12 Sept?, 23:59$/)
    expect(moment(new Date(2025, 8, 14, 9, 5).getTime(), now)).toMatch(/^14 Sept? 2025, 09:05$/)
  })
})

describe('how a run ended, in words', () => {
  const run = { steps: 3, startedAt: 1_000, finishedAt: 3_400 }

  it('is told where its figures would say too little', () => {
    expect(outcomeWords({ ...run, status: 'completed' })).toBe(null)
    expect(outcomeWords({ ...run, status: 'budget' })).toBe('budget, 3 steps')
    expect(outcomeWords({ ...run, status: 'cancelled' })).toBe('cancelled after 2.40 s')
    expect(outcomeWords({ ...run, status: 'cancelled', startedAt: null })).toBe('cancelled')
  })
})
