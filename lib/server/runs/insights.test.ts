import { expect, test } from 'vitest'
import type { EndedRun } from '#lib/spec/figures'
import { insightsOf } from './insights'

const dayMs = 24 * 60 * 60 * 1_000
const now = Date.UTC(2026, 10, 22, 15)
const run = (change: Partial<EndedRun> = {}): EndedRun => ({
  createdAt: now,
  status: 'completed',
  costUsd: null,
  durationMs: null,
  waitedMs: null,
  feedback: null,
  ...change,
})
const period = { now, days: 3, offset: 0 }

test('every day of the period is listed, oldest first, also without runs', () => {
  const { days, total } = insightsOf([], [], period)
  expect(days.map(({ day, runs, latency }) => [day, runs, latency])).toEqual([
    ['2026-11-20', 0, null],
    ['2026-11-21', 0, null],
    ['2026-11-22', 0, null],
  ])
  expect(total).toEqual({ runs: 0, errors: 0, costUsd: 0, up: 0, down: 0, latency: null, ownLatency: null })
})

test('runs count on the day on which they were asked, by the clock of the reader', () => {
  const late = run({ createdAt: Date.UTC(2026, 10, 21, 23, 30) })
  const counts = (offset: number) =>
    insightsOf([late], [], { ...period, offset }).days.map(({ runs }) => runs)
  expect(counts(0)).toEqual([0, 1, 0])
  expect(counts(60)).toEqual([0, 0, 1])
  expect(counts(-60)).toEqual([0, 1, 0])
})

test('a cancelled run is no error; a failed, interrupted or limited one is', () => {
  const statuses = ['completed', 'cancelled', 'failed', 'interrupted', 'max_steps', 'budget'] as const
  const { total } = insightsOf(
    statuses.map((status) => run({ status })),
    [],
    period,
  )
  expect([total.runs, total.errors]).toEqual([6, 4])
})

test('latency is given with and without the time in which a person was waited for', () => {
  const runs = [10, 20, 30, 40].map((ms) => run({ durationMs: ms * 100, waitedMs: 900 }))
  const { total } = insightsOf(runs, [], period)
  expect([total.latency, total.ownLatency]).toEqual([
    { p50: 2_000, p95: 4_000 },
    { p50: 1_100, p95: 3_100 },
  ])
})

test('cost and ratings are added up', () => {
  const runs = [
    run({ costUsd: 0.5, feedback: 'up' }),
    run({ costUsd: 0.25, feedback: 'down', createdAt: now - dayMs }),
    run({ feedback: 'up' }),
  ]
  const { total, days } = insightsOf(runs, [], period)
  expect([total.costUsd, total.up, total.down]).toEqual([0.75, 2, 1])
  expect(days.map(({ costUsd }) => costUsd)).toEqual([0, 0.25, 0.5])
})

test('tools without failures are left out', () => {
  const tools = [
    { name: 'sql.execute', calls: 9, failed: 3 },
    { name: 'web.read', calls: 9, failed: 0 },
  ]
  expect(insightsOf([], tools, period).tools).toEqual(tools.slice(0, 1))
})
