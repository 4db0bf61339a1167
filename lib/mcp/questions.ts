/** Questions of a server to a person, as the protocol writes them and as the product shows them. */
import type { ElicitRequest, ElicitResult, InputRequest } from '@modelcontextprotocol/client'
import type { InputQuestion, InputReply } from '#lib/spec/input'
import { isObject, type JsonObject } from '#lib/spec/json'

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

/** Whether a request inside a result is a question to a person; nothing else is ever answered. */
export function isElicitation(request: InputRequest): request is ElicitRequest {
  return request.method === 'elicitation/create'
}
