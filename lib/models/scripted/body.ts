/**
 * The body of a request to a scripted model: one JSON text, in which messages seen
 * before are not encoded again.
 */
import { z } from 'zod'
import { type JsonSchema, jsonObject, tryParseJson } from '#lib/spec/json'
import { type Message, part } from '#lib/spec/message'
import type { ModelRequest, WireTool } from '#lib/spec/model'

/** Everything that a scripted model sees. */
export interface Conversation {
  /** 1-based. */
  readonly step: number
  /** Set when a tool asks. */
  readonly purpose?: string | undefined
  readonly instructions: string
  readonly messages: readonly Message[]
  readonly tools: readonly WireTool[]
}

const message: z.ZodType<Message> = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), text: z.string() }),
  z.object({ role: z.literal('assistant'), parts: z.array(part) }),
  z.object({
    role: z.literal('tool'),
    callId: z.string(),
    name: z.string(),
    text: z.string(),
    isError: z.boolean(),
  }),
])

const schema: z.ZodType<JsonSchema> = jsonObject as z.ZodType<JsonSchema> // cast: any JSON object is a JSON Schema to read with care

const conversation: z.ZodType<Conversation> = z.object({
  step: z.int().positive(),
  purpose: z.string().optional(),
  instructions: z.string(),
  messages: z.array(message),
  tools: z.array(z.object({ name: z.string(), description: z.string(), parameters: schema })),
})

/**
 * Encodes requests to bodies. A known message or tool costs one look-up, so the cost of a
 * step depends on what is new.
 */
export function bodyEncoder(model: string): (request: ModelRequest) => string {
  const known = new WeakMap<object, string>()
  const text = (value: Message | WireTool): string => {
    let encoded = known.get(value)
    if (encoded === undefined) {
      encoded = JSON.stringify(value)
      known.set(value, encoded)
    }
    return encoded
  }
  return ({ instructions, messages, tools, step, purpose }) => {
    const asked = purpose !== undefined && { purpose }
    const head = JSON.stringify({ provider: 'scripted', name: model, step, ...asked, instructions }).slice(
      0,
      -1,
    )
    return `${head},"messages":[${messages.map(text).join(',')}],"tools":[${tools.map(text).join(',')}]}`
  }
}

/** Undefined if the text is not a body from `bodyEncoder`. */
export function readBody(body: string): Conversation | undefined {
  return conversation.safeParse(tryParseJson(body)).data
}
