/** The one open route: whether the server lives and can store; it answers 503 with the usual error when it cannot. */
import { z } from 'zod'

export const health = z.strictObject({ status: z.literal('ok'), version: z.string() })
export type Health = z.infer<typeof health>
