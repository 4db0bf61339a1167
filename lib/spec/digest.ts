/** A drawing in short, as a list of agents shows it: bounded, however large the drawing is. */
import { z } from 'zod'

/** The most parts and wires in a digest; further ones are left out of the picture. */
export const mostInDigest = { nodes: 100, wires: 200 }

const count = z.int().nonnegative()
const word = z.string().max(200)

export const graphDigest = z.strictObject({
  /** Upper left corners of the parts, rounded to whole numbers. */
  nodes: z.array(z.strictObject({ kind: word, x: z.int(), y: z.int() })).max(mostInDigest.nodes),
  /** The start and end of a wire, as indices into `nodes`. */
  wires: z.array(z.tuple([count, count])).max(mostInDigest.wires),
  /** The number of tools that are wired and not switched off. */
  tools: count,
  /** The number of policies that are wired and not switched off. */
  policies: count,
  /**
   * The settings of the model that is wired and switched on; null without one, when the demo model answers.
   */
  model: z
    .strictObject({ provider: word.optional(), endpoint: word.optional(), name: word.optional() })
    .nullable(),
})
export type GraphDigest = z.infer<typeof graphDigest>
