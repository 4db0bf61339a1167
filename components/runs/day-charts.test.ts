import { expect, it, test } from 'vitest'
import type { Insights } from '#lib/wire/insights'
import { costChart, latencyChart, runsChart } from './day-charts'

const day = (name: string, change: Partial<Insights['days'][number]> = {}): Insights['days'][number] => ({
  day: name,
  runs: 0,
  errors: 0,
  costUsd: 0,
  up: 0,
  down: 0,
  latency: null,
  ownLatency: null,
  ...change,
})

it('the highest day fills the chart, and the others are shares of it', () => {
  const { top, bars } = runsChart([
    day('2026-11-20', { runs: 10, errors: 5 }),
    day('2026-11-21', { runs: 20 }),
  ])
  expect([top, bars]).toEqual([
    '20',
    [
      { day: '20 Nov 2026', whole: 0.5, part: 0.25, words: '20 Nov 2026: 10 runs, 5 errors' },
      { day: '21 Nov 2026', whole: 1, part: 0, words: '21 Nov 2026: 20 runs, 0 errors' },
    ],
  ])
})

it('days without runs have no bar', () => {
  const { bars } = latencyChart(
    [day('2026-11-20'), day('2026-11-21', { latency: { p50: 500, p95: 2_000 } })],
    'latency',
  )
  expect(bars.map(({ whole, part, words }) => [whole, part, words])).toEqual([
    [0, 0, '20 Nov 2026: no run'],
    [1, 0.25, '21 Nov 2026: median 500 ms, 95th percentile 2.00 s'],
  ])
})

test('a period without cost is flat', () => {
  expect(costChart([day('2026-11-20')])).toMatchObject({ top: '$0', bars: [{ whole: 0 }] })
})
