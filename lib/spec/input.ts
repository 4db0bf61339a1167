/** Questions that a tool or an MCP server asks a person in the middle of a call, and the replies to them. */
import { z } from 'zod'
import { type JsonValue, jsonObject, jsonValue } from './json'

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

/** Why a question was closed without a person: its time was over, its call or run ended, or the server stopped. */
const closedBy = z.enum(['person', 'timeout', 'cancel', 'restart'])

const callId = z.string()

/** The payload of `input.requested`. */
export const requestedInput = {
  callId,
  tool: z.string(),
  /** `inputId` is unique within the call, also among the questions of later rounds. */
  ...inputQuestion.shape,
  /** The id that the body gave the question, where another question of the call had that id before. */
  key: z.string().optional(),
  /**
   * The body has ended with this question and `of - 1` others of the same round. It runs again with `state` once
   * all of them have a reply. Absent when the body is at work and waits for the reply.
   */
  round: z
    .strictObject({ number: z.int().positive(), of: z.int().positive(), state: jsonValue.optional() })
    .optional(),
  /** Why the question was not put to a person. It counts as declined for this reason. */
  refused: z.string().optional(),
}

/** The payload of `input.given`. */
export const givenInput = { callId, inputId: z.string(), ...inputReply.shape, by: closedBy }

/** A question of a call as a person sees it, and the reply to it. */
export interface AskedInput extends InputQuestion {
  readonly askedAt: number
  readonly key: string
  readonly round?: { readonly number: number; readonly of: number; readonly state?: JsonValue }
  readonly refused?: string
  given?: InputReply & { readonly at: number; readonly by: z.output<typeof closedBy> | 'rule' }
}

/** The question in an event or a state, without what is recorded beside it. */
export function questionIn(asked: InputQuestion): InputQuestion {
  const { inputId, from, server, question, choices, schema, url, expiresAt } = asked
  return {
    inputId,
    from,
    ...(server !== undefined && { server }),
    question,
    ...(choices && { choices }),
    ...(schema && { schema }),
    ...(url !== undefined && { url }),
    ...(expiresAt !== undefined && { expiresAt }),
  }
}
