/** The one open route: whether the server lives. */
import { z } from 'zod'

export const health = z.strictObject({ status: z.literal('ok'), version: z.string() })
export type Health = z.infer<typeof health>
