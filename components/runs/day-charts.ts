/** The bars of an agent's days, as plain data for a chart. Pure. */
import { count, duration, plural, usd } from '#components/run/figures'
import { dayWords } from '#components/run/when'
import type { Insights } from '#lib/wire/insights'

export interface DayBar {
  /** As in `25 Oct 2026`. */
  readonly day: string
  /** Shares of the chart's height, 0 to 1: the whole bar, and its lower, darker part. */
  readonly whole: number
  readonly part: number
  readonly words: string
}

export interface DayChartData {
  readonly title: string
  /** What the two parts of a bar mean. */
  readonly legend: readonly { readonly tone: 'whole' | 'part'; readonly label: string }[]
  readonly tone: 'runs' | 'cost' | 'time'
  /** The value at the top of the chart. */
  readonly top: string
  readonly bars: readonly DayBar[]
}

type Day = Insights['days'][number]

interface Reading {
  readonly whole: (day: Day) => number
  readonly part: (day: Day) => number
  readonly words: (day: Day) => string
  readonly top: (value: number) => string
}

function barsOf(
  days: readonly Day[],
  { whole, part, words, top }: Reading,
): Pick<DayChartData, 'top' | 'bars'> {
  const highest = Math.max(0, ...days.map(whole))
  const share = (value: number) => (highest === 0 ? 0 : value / highest)
  return {
    top: top(highest),
    bars: days.map((day) => ({
      day: dayWords(day.day),
      whole: share(whole(day)),
      part: share(part(day)),
      words: `${dayWords(day.day)}: ${words(day)}`,
    })),
  }
}

export function runsChart(days: readonly Day[]): DayChartData {
  return {
    title: 'Runs',
    tone: 'runs',
    legend: [
      { tone: 'whole', label: 'Runs' },
      { tone: 'part', label: 'Errors' },
    ],
    ...barsOf(days, {
      whole: ({ runs }) => runs,
      part: ({ errors }) => errors,
      words: ({ runs, errors }) => `${plural(runs, 'run')}, ${plural(errors, 'error')}`,
      top: count,
    }),
  }
}

export function costChart(days: readonly Day[]): DayChartData {
  return {
    title: 'Cost',
    tone: 'cost',
    legend: [],
    ...barsOf(days, {
      whole: ({ costUsd }) => costUsd,
      part: () => 0,
      words: ({ costUsd }) => usd(costUsd),
      top: usd,
    }),
  }
}

export function latencyChart(days: readonly Day[], of: 'latency' | 'ownLatency'): DayChartData {
  return {
    title: of === 'latency' ? 'Time of a run' : 'Time without waits for people',
    tone: 'time',
    legend: [
      { tone: 'part', label: 'Median' },
      { tone: 'whole', label: '95th percentile' },
    ],
    ...barsOf(days, {
      whole: (day) => day[of]?.p95 ?? 0,
      part: (day) => day[of]?.p50 ?? 0,
      words: (day) => {
        const known = day[of]
        return known === null
          ? 'no run'
          : `median ${duration(known.p50)}, 95th percentile ${duration(known.p95)}`
      },
      top: duration,
    }),
  }
}
