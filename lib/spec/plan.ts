/** The plan of a run: its steps and the state of each. */
import { z } from 'zod'

export const plan = z.strictObject({
  title: z.string(),
  steps: z.array(
    z.strictObject({
      text: z.string(),
      status: z.enum(['not_started', 'in_progress', 'completed', 'blocked']),
      note: z.string().optional(),
    }),
  ),
})
export type Plan = z.infer<typeof plan>
