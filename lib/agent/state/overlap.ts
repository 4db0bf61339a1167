/** Computes the time saved by calls that ran while the answer streamed. */
import type { CallState } from '#lib/spec/state'

/** How long at least one of the calls was at work before the answer was complete, in milliseconds. */
export function overlapMs(calls: readonly CallState[], answeredAt: number): number {
  const spans = calls.flatMap(({ startedAt, finishedAt = answeredAt }) =>
    startedAt === undefined ? [] : [{ from: startedAt, to: finishedAt }],
  )
  let until = 0
  let sum = 0
  for (const { from, to } of spans.sort((a, b) => a.from - b.from)) {
    sum += Math.max(0, to - Math.max(from, until))
    until = Math.max(until, to)
  }
  return sum
}
