/** The shape of a failure on the wire. */
import { z } from 'zod'

/**
 * `detail` holds what a caller needs to recover: the current agent after a stale save, the diagnostics of a
 * graph that does not compile.
 */
export const errorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    path: z.string().optional(),
    detail: z.record(z.string(), z.unknown()).optional(),
  }),
})
export type ErrorBody = z.infer<typeof errorBody>
