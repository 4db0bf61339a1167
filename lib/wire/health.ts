/**
 * The health route, which needs no token: whether the server runs and can store data; if not, it answers 503
 * with the usual error.
 */
import { z } from 'zod'

export const health = z.strictObject({ status: z.literal('ok'), version: z.string() })
export type Health = z.infer<typeof health>
