/** Messages of a dialogue on the wire: those of a run, and those that a new run is given as its dialogue so far. */
import { z } from 'zod'
import { jsonObject } from '#lib/spec/json'
import { callPart, part } from '#lib/spec/message'
import { picture } from '#lib/spec/picture'

const toolMessage = z.strictObject({
  role: z.literal('tool'),
  /** The id of the call in the answer before. */
  callId: z.string().min(1).max(200),
  name: z.string().min(1).max(200),
  text: z.string(),
  isError: z.boolean(),
})
const userMessage = z.strictObject({ role: z.literal('user'), text: z.string() })

const pictures = z.array(picture).optional()

export const message = z.discriminatedUnion('role', [
  userMessage.extend({ pictures }),
  z.strictObject({ role: z.literal('assistant'), parts: z.array(part) }),
  toolMessage.extend({ callId: z.string(), name: z.string(), pictures }),
])

const [textPart, reasoningPart, , opaquePart] = part.options
/** Arguments may be in `args` or, as text, in `rawArgs`. */
const givenCall = callPart.extend({
  id: z.string().min(1).max(200),
  name: z.string().min(1).max(200),
  rawArgs: z.string().optional(),
  args: jsonObject.optional(),
})
const givenPart = z.discriminatedUnion('type', [textPart, reasoningPart, givenCall, opaquePart])

/**
 * The messages of a run may be sent back unchanged. Their pictures are left out, since files belong to their thread.
 * Calls without a result and results without a call are repaired.
 */
export const givenHistory = z
  .array(
    z.discriminatedUnion('role', [
      userMessage.extend({ pictures }),
      z.strictObject({ role: z.literal('assistant'), parts: z.array(givenPart).max(1_000) }),
      toolMessage.extend({ isError: z.boolean().default(false), pictures }),
    ]),
  )
  .max(2_000)
export type GivenHistory = z.infer<typeof givenHistory>
