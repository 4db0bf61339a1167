/** A question of an agent as a form that an MCP client shows to its person, and what the client sends back. */
import type { InputQuestion, InputReply } from '#lib/spec/input'
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'

/** The form of an elicitation: one object of plain fields. */
export interface ClientForm {
  readonly message: string
  readonly requestedSchema: {
    readonly type: 'object'
    readonly properties: Readonly<Record<string, JsonObject>>
    readonly required?: readonly string[]
  }
}

/** What a client sends back. Untrusted. */
export interface ClientReply {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: Readonly<Record<string, unknown>>
}

/** The fields of a question that has no form of its own. */
const answer = 'answer'
const other = 'other'

/**
 * Undefined for what a client is not asked: questions of servers that the agent itself uses, since their person is
 * the operator; addresses to open; and forms with fields that the protocol has no words for.
 */
export function formOf({ from, question, choices, schema, url }: InputQuestion): ClientForm | undefined {
  if (from !== 'tool' || url !== undefined) return undefined
  if (schema !== undefined) {
    const requestedSchema = plainForm(schema)
    return requestedSchema && { message: question, requestedSchema }
  }
  const properties: Record<string, JsonObject> =
    choices === undefined
      ? { [answer]: { type: 'string', title: 'Answer' } }
      : {
          [answer]: { type: 'string', title: 'Answer', enum: [...choices] },
          [other]: { type: 'string', title: 'Another answer, if none of these' },
        }
  const required = choices === undefined ? [answer] : []
  return { message: question, requestedSchema: { type: 'object', properties, required } }
}

export function replyOf({ schema }: InputQuestion, { action, content = {} }: ClientReply): InputReply {
  if (action !== 'accept') return { action }
  // cast: the content was parsed from JSON
  if (schema !== undefined) return { action: 'answer', values: { ...content } as Record<string, JsonValue> }
  const written = [content[other], content[answer]].find(
    (each) => typeof each === 'string' && each.trim() !== '',
  )
  return { action: 'answer', text: typeof written === 'string' ? written : '' }
}

/** What the protocol allows in a field, besides its type. */
const fieldKeys = new Set([
  'type',
  'title',
  'description',
  'default',
  'enum',
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
])
const fieldTypes: readonly unknown[] = ['string', 'number', 'integer', 'boolean']
const formats: readonly unknown[] = ['email', 'uri', 'date', 'date-time']

/** The same form without the keywords that a client may ignore; undefined if a field cannot be asked for. */
function plainForm({ type, properties, required }: JsonObject): ClientForm['requestedSchema'] | undefined {
  if (type !== 'object' || !isObject(properties)) return undefined
  const fields: Record<string, JsonObject> = {}
  for (const [name, schema] of Object.entries(properties)) {
    const field = isObject(schema) ? plainField(schema) : undefined
    if (field === undefined) return undefined
    fields[name] = field
  }
  if (Object.keys(fields).length === 0) return undefined
  const names = Array.isArray(required) ? required.filter((each) => typeof each === 'string') : []
  return { type: 'object', properties: fields, required: names }
}

function plainField(schema: JsonObject): JsonObject | undefined {
  if (!fieldTypes.includes(schema.type)) return undefined
  if (schema.enum !== undefined && (schema.type !== 'string' || !isTexts(schema.enum))) return undefined
  const kept = Object.entries(schema).filter(
    ([key, value]) => fieldKeys.has(key) && (key !== 'format' || formats.includes(value)),
  )
  return Object.fromEntries(kept)
}

function isTexts(value: JsonValue): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}
