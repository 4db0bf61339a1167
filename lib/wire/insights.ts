/** The figures of an agent over some days, on the wire. Durations are in milliseconds. */
import { z } from 'zod'

const amount = z.int().nonnegative()

export const insightsQuery = z.strictObject({
  /** Days up to and including today. */
  days: z.coerce.number().int().min(1).max(366).default(30),
  /** Minutes by which the reader's clock is ahead of UTC, so that days begin at the reader's midnight. */
  offset: z.coerce.number().int().min(-840).max(840).default(0),
})
export type InsightsQuery = z.infer<typeof insightsQuery>

const latency = z.strictObject({ p50: z.number(), p95: z.number() }).nullable()

const figures = {
  /** Runs that have ended. */
  runs: amount,
  /** Runs that failed, were interrupted, or stopped at a limit. */
  errors: amount,
  /** Runs without a known price count as nothing. */
  costUsd: z.number(),
  /** Runs rated by a person. */
  up: amount,
  down: amount,
  /** From start to end; null without runs. */
  latency,
  /** The same without the time in which the run waited for a person. */
  ownLatency: latency,
}

export const insights = z.strictObject({
  total: z.strictObject(figures),
  /** Every day of the period, oldest first. */
  days: z.array(z.strictObject({ day: z.string(), ...figures })),
  /** Tools with failed calls; the one that failed most often comes first. */
  tools: z.array(z.strictObject({ name: z.string(), calls: amount, failed: amount })),
})
export type Insights = z.infer<typeof insights>
