/** Questions that a tool or an MCP server asks a person in the middle of a call, and the replies to them. */
import { z } from 'zod'
import { jsonObject, jsonValue } from './json'

export const inputQuestion = z.strictObject({
  /** Unique within its call. */
  inputId: z.string().min(1).max(200),
  from: z.enum(['tool', 'server']),
  /** The MCP server that asks. */
  server: z.string().optional(),
  question: z.string(),
  /** Answers to choose from; another text is valid too unless there is a schema. */
  choices: z.array(z.string()).optional(),
  /** The form to fill in; `values` of the reply fit it. */
  schema: jsonObject.optional(),
  /** An address that the person is asked to open. It is shown and never opened by itself. */
  url: z.string().optional(),
  /** Milliseconds since 1970. After it the question is declined. */
  expiresAt: z.number().optional(),
})
export type InputQuestion = z.output<typeof inputQuestion>

export const inputReply = z.strictObject({
  action: z.enum(['answer', 'decline', 'cancel']),
  text: z.string().max(20_000).optional(),
  values: z.record(z.string(), jsonValue).optional(),
})
export type InputReply = z.output<typeof inputReply>
