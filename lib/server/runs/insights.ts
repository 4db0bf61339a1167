/** The figures of one agent over some days, from the rows of its ended runs. */
import type { EndedRun, ToolFigures } from '#lib/spec/figures'
import type { Stores } from '#lib/spec/store'
import type { Insights, InsightsQuery } from '#lib/wire/insights'

const dayMs = 24 * 60 * 60 * 1_000
const minuteMs = 60_000
/** The tools that failed most; the others are left out. */
const mostTools = 10

/** Endings that are neither an answer nor a person's wish. */
const errors: ReadonlySet<string> = new Set(['failed', 'interrupted', 'max_steps', 'budget'])

export interface DayRange {
  /** The last moment of the period. */
  readonly now: number
  readonly days: number
  /** Minutes by which the person's clock is ahead of UTC: their midnight begins a day. */
  readonly offset: number
}

export function readInsights(
  { figures }: Pick<Stores, 'figures'>,
  { agentId, query, now }: { agentId: string; query: InsightsQuery; now: number },
): Insights {
  const period = { now, days: query.days, offset: query.offset }
  const since = startOf(period)
  return insightsOf(figures.endedSince(agentId, since), figures.toolsSince(agentId, since), period)
}

/** When the first day of the period began. */
function startOf({ now, days, offset }: DayRange): number {
  const shift = offset * minuteMs
  return (Math.floor((now + shift) / dayMs) - days + 1) * dayMs - shift
}

interface Sum {
  runs: number
  errors: number
  costUsd: number
  up: number
  down: number
  readonly durations: number[]
  readonly ownDurations: number[]
}

/** Adds the runs up by day and in all. Every day of the period is listed, oldest first. */
export function insightsOf(
  ended: readonly EndedRun[],
  tools: readonly ToolFigures[],
  period: DayRange,
): Insights {
  const since = startOf(period)
  const all = newSum()
  const byDay = Array.from({ length: period.days }, newSum)
  for (const run of ended) {
    const day = byDay[Math.floor((run.createdAt - since) / dayMs)]
    // A run of the future was stored while the clock was set too far ahead.
    if (day === undefined) continue
    add(all, run)
    add(day, run)
  }
  return {
    total: toFigures(all),
    days: byDay.map((sum, index) => ({
      day: new Date(since + index * dayMs + period.offset * minuteMs).toISOString().slice(0, 10),
      ...toFigures(sum),
    })),
    tools: tools.filter(({ failed }) => failed > 0).slice(0, mostTools),
  }
}

function newSum(): Sum {
  return { runs: 0, errors: 0, costUsd: 0, up: 0, down: 0, durations: [], ownDurations: [] }
}

function add(sum: Sum, { status, costUsd, durationMs, waitedMs, feedback }: EndedRun): void {
  sum.runs += 1
  if (errors.has(status)) sum.errors += 1
  sum.costUsd += costUsd ?? 0
  if (feedback !== null) sum[feedback] += 1
  if (durationMs === null) return
  sum.durations.push(durationMs)
  sum.ownDurations.push(Math.max(0, durationMs - (waitedMs ?? 0)))
}

function toFigures({ durations, ownDurations, ...counts }: Sum): Insights['total'] {
  return { ...counts, latency: percentiles(durations), ownLatency: percentiles(ownDurations) }
}

/** The nearest-rank percentiles; null without values. */
function percentiles(values: readonly number[]): Insights['total']['latency'] {
  const sorted = Float64Array.from(values).sort()
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
  const [p50, p95] = [at(0.5), at(0.95)]
  return p50 === undefined || p95 === undefined ? null : { p50, p95 }
}
