/** A drawing in short: what a list of agents shows of it, bounded however large the drawing is. */
import { z } from 'zod'

/** Parts and wires beyond these are left out of the picture. */
export const mostInDigest = { nodes: 100, wires: 200 }

const count = z.int().nonnegative()
const word = z.string().max(200)

export const graphDigest = z.strictObject({
  /** Upper left corners of the parts, rounded to whole numbers. */
  nodes: z.array(z.strictObject({ kind: word, x: z.int(), y: z.int() })).max(mostInDigest.nodes),
  /** Where a wire begins and where it ends, as places in `nodes`. */
  wires: z.array(z.tuple([count, count])).max(mostInDigest.wires),
  /** Tools that are wired and not switched off. */
  tools: count,
  /** Policies that are wired and not switched off. */
  policies: count,
  /** What is said of the model that is wired and not switched off; null when there is none, and the demo answers. */
  model: z
    .strictObject({ provider: word.optional(), endpoint: word.optional(), name: word.optional() })
    .nullable(),
})
export type GraphDigest = z.infer<typeof graphDigest>
