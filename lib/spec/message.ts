/** What messages hold in a run: parts of an answer, blocks of an observation, messages of a dialogue. */
import { z } from 'zod'
import { jsonObject, jsonValue } from './json'
import { type Picture, picture } from './picture'

/**
 * The output of a tool, in order. `image.artifact` is the id of a stored file; with `picture`, models that see
 * pictures are shown it.
 */
export const block = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('json'), value: jsonValue }),
  z.strictObject({ type: z.literal('image'), artifact: z.string(), picture: picture.optional() }),
  z.strictObject({
    type: z.literal('table'),
    columns: z.array(z.string()),
    rows: z.array(z.array(jsonValue)),
  }),
])
export type Block = z.infer<typeof block>

/** Why a call cannot run as sent: unreadable arguments, or arguments that do not fit the tool's schema. */
export const invalidCall = z.strictObject({
  code: z.enum(['args_json', 'xml_syntax', 'args_schema', 'unknown_tool', 'truncated']),
  message: z.string(),
})
export type InvalidCall = z.infer<typeof invalidCall>

export const callPart = z.strictObject({
  type: z.literal('call'),
  /** Our own id, unique in a run: `call_<step>_<n>`. */
  id: z.string(),
  /** The provider's id, unchanged; absent when it sent none. */
  wireId: z.string().optional(),
  /** The tool's own (dotted) name, or the name that the model wrote when no such tool is offered. */
  name: z.string(),
  rawArgs: z.string(),
  args: jsonObject.optional(),
  invalid: invalidCall.optional(),
  /** Secrets in the arguments are replaced here; the call runs with the original, which is kept until it ends. */
  redacted: z.literal(true).optional(),
})
export type CallPart = z.infer<typeof callPart>

/** One piece of a model's answer; `opaque` is sent back to its provider exactly as it came. */
export const part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('reasoning'), text: z.string() }),
  callPart,
  z.strictObject({ type: z.literal('opaque'), provider: z.string(), data: jsonValue }),
])
export type Part = z.infer<typeof part>

/** One message of a dialogue. The system text is not a message; requests carry it as `instructions`. */
export type Message =
  /** `pictures` come before the text. A message of text alone has no such key. */
  | { readonly role: 'user'; readonly text: string; readonly pictures?: Picture[] }
  | { readonly role: 'assistant'; readonly parts: readonly Part[] }
  | {
      readonly role: 'tool'
      readonly callId: string
      readonly name: string
      readonly text: string
      readonly isError: boolean
      /** The pictures in the result. No wire sends them here: they are shown in a message after the results. */
      readonly pictures?: Picture[]
    }

/** The text parts of an answer, joined: what a reader sees. */
export function textOf(parts: readonly Part[]): string {
  let text = ''
  for (const each of parts) if (each.type === 'text') text += each.text
  return text
}

export function callsOf(parts: readonly Part[]): CallPart[] {
  return parts.filter((each) => each.type === 'call')
}
