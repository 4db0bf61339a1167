/** The body of a request without parameters in its body: none, or `{}`. */
import { z } from 'zod'

export const emptyBody = z.strictObject({})
