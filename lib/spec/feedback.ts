/** What a person said about a run's answer. It is stored with the run and is not one of its events. */
import { z } from 'zod'

export const rating = z.enum(['up', 'down'])
export type Rating = z.infer<typeof rating>

export const feedback = z.strictObject({
  rating,
  /** What was good or wrong, in the person's words. */
  text: z.string().max(2_000).optional(),
})
export type Feedback = z.infer<typeof feedback>
