/** One tool run by hand, on the wire. */
import { z } from 'zod'
import { jsonObject } from '#lib/spec/json'
import { block } from '#lib/spec/message'

export const tryTool = z.strictObject({ args: jsonObject.default({}) })

/** What it gave back. A tool's own refusal is `error`, with the reason as text. */
export const triedTool = z.strictObject({
  name: z.string(),
  status: z.enum(['ok', 'error', 'timeout']),
  code: z.string().nullable(),
  result: z.strictObject({ blocks: z.array(block) }),
  /** What it tells of its work beside what a model would read. */
  metadata: jsonObject.optional(),
  durationMs: z.int().nonnegative(),
})
export type TriedTool = z.infer<typeof triedTool>
