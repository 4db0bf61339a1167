/** The body of a request that says nothing beyond its address: none, or `{}`. */
import { z } from 'zod'

export const emptyBody = z.strictObject({})
