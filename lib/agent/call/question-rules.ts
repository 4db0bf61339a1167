/** Which questions may be put to a person, and which replies answer them. */
import type { AskedInput, InputQuestion, InputReply } from '#lib/spec/input'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '#lib/spec/json'
import type { Redact } from '#lib/spec/redact'
import type { CallState } from '#lib/spec/state'
import { faultsOf, type PlacedFault } from '../fit/misfit'

/** The most questions of one call. */
export const mostQuestionsOfCall = 50

export const tooMany = `A call may ask at most ${mostQuestionsOfCall} questions.`

/** Why the questions with which a body ended cannot be asked; undefined when they can. */
export function whyNotAsked(
  redact: Redact | undefined,
  { inputs = [] }: CallState,
  { questions, state }: { readonly questions: readonly InputQuestion[]; readonly state?: JsonValue },
): string | undefined {
  if (inputs.length + questions.length > mostQuestionsOfCall) return tooMany
  const text = JSON.stringify(state ?? null)
  if (redact !== undefined && redact(text) !== text)
    return 'What the tool wants to keep while a person is asked contains a secret, so nobody was asked.'
  return undefined
}

/** Why a question must not be put to a person; undefined when it may. */
export function refusalOf({
  schema,
  url,
  from,
  server,
}: Pick<InputQuestion, 'schema' | 'url' | 'from' | 'server'>): string | undefined {
  const who = from === 'server' && server !== undefined ? `The server ${server}` : 'The tool'
  const secrets = secretFields(schema)
  if (secrets.length > 0)
    return `${who} asked for ${listed(secrets)}. A secret is never asked for in a question, because replies are stored with the run and read by the model. Add it under Settings instead.`
  if (url !== undefined && !isWebAddress(url))
    return `${who} asked a person to open an address that is not http or https, so nobody was asked.`
  return undefined
}

const secretWords = [
  /pass_?(word|wd|phrase|code)/,
  /(^|_)pwd($|_)/,
  /secret/,
  /(^|_)token($|_)/,
  /api_?key/,
  /(private|access|signing|encryption|ssh)_?key/,
  /credential/,
  /(^|_)(pin|otp|cvv|cvc)($|_)/,
  /(^|_)(mfa|2fa|totp)(_code)?($|_)/,
  /card_?number/,
]

/** How deep fields inside fields are looked at. A form that a person can fill in is never deeper. */
const deepest = 8

/** Fields of a form that seem to ask for a secret, by their names, titles or formats. */
export function secretFields(schema: JsonObject | undefined, depth = 0): string[] {
  const { properties, items } = schema ?? {}
  if (depth > deepest) return []
  if (isObject(items)) return secretFields(items, depth + 1)
  if (!isObject(properties)) return []
  return Object.entries(properties).flatMap(([name, value]) => {
    const field = isObject(value) ? value : {}
    const { title, type, format, writeOnly } = field
    if (format === 'password' || writeOnly === true) return [name]
    // A number of tokens or a choice whether to use a password is no secret.
    if (type === 'boolean' || type === 'integer' || type === 'number') return []
    const isSecret = (text: string) => secretWords.some((word) => word.test(wordsOf(text)))
    if (isSecret(name) || (typeof title === 'string' && isSecret(title))) return [name]
    return secretFields(field, depth + 1)
  })
}

/** `apiKey` and `API key` as `api_key`. */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .toLowerCase()
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((each) => `"${each.slice(0, 60)}"`)
  return names.length > shown.length ? `${shown.join(', ')} and others` : shown.join(' and ')
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}

/** What is wrong with a reply: a sentence, and for a form the place of each field. */
export interface ReplyFault {
  readonly message: string
  readonly fields?: readonly PlacedFault[]
}

/** Undefined when the reply answers the question. */
export function faultOfReply(
  { schema, choices, url }: Pick<AskedInput, 'schema' | 'choices' | 'url'>,
  { action, text, values }: InputReply,
): ReplyFault | undefined {
  if (action !== 'answer') return undefined
  if (schema !== undefined) return faultOfValues(schema as JsonSchema, values) // cast: a JSON Schema is an object
  if (values !== undefined) return { message: 'This question has no form. Reply with a text.' }
  const isEmpty = text === undefined || text.trim() === ''
  if (!isEmpty || url !== undefined) return undefined
  const what = choices === undefined ? 'Write an answer' : 'Choose or write an answer'
  return { message: `${what}, or decline the question.` }
}

function faultOfValues(schema: JsonSchema, values: InputReply['values']): ReplyFault | undefined {
  if (values === undefined)
    return { message: 'This question has a form. Reply with the values of its fields.' }
  const fields = faultsOf(schema, values)
  const [first] = fields
  if (first === undefined) return undefined
  const where = first.path === '' ? 'The form' : `"${first.path}"`
  const more = fields.length > 1 ? `, and ${fields.length - 1} more` : ''
  return { message: `The values do not fit the form: ${where} ${first.message}${more}.`, fields }
}
