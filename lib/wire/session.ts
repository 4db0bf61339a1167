/** Signing in, on the wire. */
import { z } from 'zod'

export const openSession = z.strictObject({ token: z.string().max(4_096) })
