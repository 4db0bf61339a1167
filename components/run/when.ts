/** Formats times for lists, and describes how a run ended where that says more than its figures. */

import type { RunSummary } from '#lib/wire/runs'
import { duration, plural } from './figures'

/** `14:06` today, `Yesterday, 14:06`, `3 Sep, 14:06` this year, `3 Sep 2025, 14:06` before; both in milliseconds since 1970. */
export function moment(at: number, now: number): string {
  const date = new Date(at)
  const today = new Date(now)
  const clock = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  if (date.toDateString() === today.toDateString()) return clock
  if (date.toDateString() === dayBefore(today).toDateString()) return `Yesterday, ${clock}`
  const isThisYear = date.getFullYear() === today.getFullYear()
  const day = date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
  })
  return `${day}, ${clock}`
}

/** By the calendar: a day may have 23 or 25 hours. */
function dayBefore(day: Date): Date {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - 1)
}

/** `25 Oct 2026` for `2026-10-25`. */
export function dayWords(day: string): string {
  const [year, month, date] = day.split('-').map(Number)
  return new Date(year ?? 0, (month ?? 1) - 1, date ?? 1).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
}

/** The full date and time, for a tooltip. */
export function wholeMoment(at: number): string {
  return new Date(at).toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'medium' })
}

/**
 * Replaces the figures of a run that is queued, waiting, stopped at a limit, interrupted or cancelled; null
 * for the others.
 */
export function outcomeWords({
  status,
  steps,
  startedAt,
  finishedAt,
}: Pick<RunSummary, 'status' | 'steps' | 'startedAt' | 'finishedAt'>): string | null {
  switch (status) {
    case 'queued':
      return 'queued'
    case 'waiting':
      return 'waits for you'
    case 'max_steps':
      return `limit of ${plural(steps, 'step')}`
    case 'budget':
      return `budget, ${plural(steps, 'step')}`
    case 'interrupted':
      return 'interrupted'
    case 'cancelled':
      return startedAt === null || finishedAt === null
        ? 'cancelled'
        : `cancelled after ${duration(finishedAt - startedAt)}`
    case 'running':
    case 'completed':
    case 'failed':
      return null
    default:
      return status satisfies never
  }
}
