/** Questions of a server to a person, as the protocol writes them and as the product shows them. */
import type { CallToolResult, ElicitRequest, ElicitResult, InputRequest } from '@modelcontextprotocol/client'
import type { InputQuestion, InputReply } from '#lib/spec/input'
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import type { McpCall } from '#lib/spec/mcp'
import type { ToolOutput } from '#lib/spec/tool-output'
import type { ClientSdk } from './sdk'

const maxQuestionChars = 4_000

/** @param from the server, and an id that is unique within the call */
export function questionOf(
  params: ElicitRequest['params'],
  { server, inputId }: { readonly server: string; readonly inputId: string },
): InputQuestion {
  const asked = {
    inputId,
    from: 'server' as const,
    server,
    question: params.message.slice(0, maxQuestionChars),
  }
  if (params.mode === 'url') return { ...asked, url: params.url }
  return { ...asked, schema: params.requestedSchema as JsonObject } // cast: it was parsed from JSON
}

/** What the server reads of a person's reply. */
export function resultOf(reply: InputReply, params: ElicitRequest['params']): ElicitResult {
  if (reply.action !== 'answer') return { action: reply.action }
  if (params.mode === 'url') return { action: 'accept' }
  // cast: the reply was checked against the schema of the question, which allows only such values
  return { action: 'accept', content: valuesOf(reply, params.requestedSchema) as ElicitResult['content'] }
}

/** The values of a form. A reply in plain words fills the only field of a form that has one. */
function valuesOf({ values, text }: InputReply, schema: unknown): JsonObject {
  if (values !== undefined) return values
  const fields = isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties) : []
  const [only, ...others] = fields
  return text === undefined || only === undefined || others.length > 0 ? {} : { [only]: text }
}

/** The result of a call, or what its server asks for before it goes on. */
export type CallResult = CallToolResult & {
  readonly resultType?: unknown
  readonly inputRequests?: Readonly<Record<string, InputRequest>>
  readonly requestState?: string
}

/** What is sent again with the call. */
export interface Answers {
  readonly inputResponses?: Readonly<Record<string, ElicitResult>>
  readonly requestState?: string
}

type Output = Exclude<ToolOutput, { ok: true }>

/** The questions in a result, as an output that waits for the replies. The state has what the next sending needs. */
export function questionsOutput(
  { inputRequests = {}, requestState }: CallResult,
  server: string,
  metadata: JsonObject,
): Output {
  const asked = Object.entries(inputRequests)
  const other = asked.find(([, request]) => request.method !== 'elicitation/create')
  if (other !== undefined || asked.length === 0) {
    const what =
      other === undefined ? 'to be called again too often' : `for “${other[1].method}”, which is not provided`
    return { ok: false, code: 'mcp_asks', message: `The MCP server “${server}” asks ${what}.`, metadata }
  }
  const forms = asked.flatMap(([inputId, { method, params }]) =>
    method === 'elicitation/create' ? [{ inputId, params }] : [],
  )
  const requests = Object.fromEntries(forms.map(({ inputId, params }) => [inputId, params]))
  return {
    ok: 'asks',
    questions: forms.map(({ inputId, params }) => questionOf(params, { server, inputId })),
    // cast: the requests were parsed from JSON
    state: { requests, ...(requestState !== undefined && { requestState }) } as unknown as JsonValue,
    metadata,
  }
}

/** What goes with a call that is sent again after a person has replied. */
export function answersOf({ answered }: Pick<McpCall, 'answered'>): Answers {
  const { state, replies = {} } = answered ?? {}
  if (!isObject(state)) return {}
  const { requests, requestState } = state
  const entries = Object.entries(isObject(requests) ? requests : {}).map(([inputId, params]) => {
    const reply = replies[inputId] ?? { action: 'cancel' as const }
    return [inputId, resultOf(reply, params as unknown as ElicitRequest['params'])] as const // cast: kept as it came
  })
  return {
    ...(entries.length > 0 && { inputResponses: Object.fromEntries(entries) }),
    ...(typeof requestState === 'string' && { requestState }),
  }
}

/** In the old era a call may fail until a person has opened an address. It is then sent again. */
export function urlQuestions(
  error: unknown,
  server: string,
  sdk: ClientSdk,
): Extract<Output, { ok: 'asks' }> | undefined {
  if (!(error instanceof sdk.UrlElicitationRequiredError) || error.elicitations.length === 0) return undefined
  const questions = error.elicitations.map((params, index) =>
    questionOf(params, { server, inputId: `url-${index}` }),
  )
  return { ok: 'asks', questions }
}
