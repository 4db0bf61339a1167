/** The point of a run from which a fork continues, and how the fork differs from it. */
import { z } from 'zod'

export const forkEdit = z.enum(['prompt', 'reply', 'args', 'result', 'summary'])
export type ForkEdit = z.infer<typeof forkEdit>
/** How the config of a fork differs from that of its parent. */
export const forkChange = z.enum(['draft', 'model', 'instructions'])
export type ForkChange = z.infer<typeof forkChange>

/** The run and the step from which a fork continues, and what a person changed there. */
export const forkPoint = z.strictObject({
  runId: z.string(),
  step: z.int().nonnegative(),
  /** The ids of the calls around the run inside whose step it is, joined by `/`; absent for a step of the run itself. */
  parent: z.string().optional(),
  /** Absent when the step is asked again unchanged. */
  edit: forkEdit.optional(),
  /** The call whose arguments or result were changed. */
  callId: z.string().optional(),
  /** Absent when the fork has the config of its parent. */
  changes: z.array(forkChange).optional(),
})
export type ForkPoint = z.infer<typeof forkPoint>
