/** What an agent may do as drawn: the tools its model gets, what is withheld and why, and the limits. */
import { z } from 'zod'
import { graphDocument } from '#lib/spec/graph'

const ms = z.int().nonnegative()

export const authorityRequest = z.strictObject({ graph: graphDocument })

export const authority = z.strictObject({
  offered: z.array(
    z.strictObject({
      name: z.string(),
      /** The name the model sees. */
      wireName: z.string(),
      /** The entry that offers it, for example `tools/0`. */
      entry: z.string(),
      risk: z.enum(['read', 'write', 'admin']),
      effect: z.enum(['read', 'idempotent', 'effect']),
      timeoutSeconds: z.number(),
      /** The tokens that its name, description and schema add to every request, by our estimate. */
      tokens: ms,
      /** Whether a person is asked before each call. */
      asks: z.boolean(),
    }),
  ),
  withheld: z.array(
    z.strictObject({
      name: z.string(),
      entry: z.string(),
      /** The policy that withholds it, and the policy's entry. */
      policy: z.string(),
      node: z.string(),
      reason: z.string(),
    }),
  ),
  /** One line for each limit, in words: "At most 10 steps". */
  limits: z.array(z.strictObject({ node: z.string(), text: z.string() })),
  /** The tokens that instructions and tools add to every request, by our estimate. */
  tokens: z.strictObject({ system: ms, tools: ms }),
})
export type Authority = z.infer<typeof authority>

/** Null while the drawing has errors. */
export const authorityView = z.strictObject({ authority: authority.nullable() })
export type AuthorityView = z.infer<typeof authorityView>
