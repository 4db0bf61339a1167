/** One tool run by hand, on the wire. */
import { z } from 'zod'
import { jsonObject } from '#lib/spec/json'
import { block } from '#lib/spec/message'

export const tryTool = z.strictObject({ args: jsonObject.default({}) })

/** One tool of an entry as it stands in the config of an agent, run by hand. */
export const tryEntry = z.strictObject({
  entry: jsonObject,
  /** By its name in the entry; by default its first tool. */
  tool: z.string().max(256).optional(),
  args: jsonObject.default({}),
})
export type TryEntry = z.input<typeof tryEntry>

/** The result. A tool's own error is `error`, with the reason as text. */
export const triedTool = z.strictObject({
  name: z.string(),
  status: z.enum(['ok', 'error', 'timeout']),
  code: z.string().nullable(),
  result: z.strictObject({ blocks: z.array(block) }),
  /** Facts about the tool's work that a model would not see. */
  metadata: jsonObject.optional(),
  durationMs: z.int().nonnegative(),
})
export type TriedTool = z.infer<typeof triedTool>
