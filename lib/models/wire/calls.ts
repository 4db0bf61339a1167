/**
 * Prepares earlier calls for a request: names and ids that every service accepts, and
 * arguments that are JSON.
 */
import { isObject, type JsonSchema, tryParseJson } from '#lib/spec/json'
import { type CallPart, callsOf, type Message } from '#lib/spec/message'

type Answer = Extract<Message, { role: 'assistant' }>

/** The ids and names that services allow. */
const legal = /^[a-zA-Z0-9_-]{1,64}$/

/**
 * Maps each of our call ids to the id on the wire: the provider's own if it sent a legal
 * one that no other call has.
 */
export function wireIds({ parts }: Answer): Map<string, string> {
  const ids = new Map<string, string>()
  const used = new Set<string>()
  for (const { id, wireId } of callsOf(parts)) {
    const own = wireId !== undefined && legal.test(wireId) && !used.has(wireId) ? wireId : id
    used.add(own)
    ids.set(id, own)
  }
  return ids
}

/** A legal name is sent unchanged; a name that a model made up is changed to a legal one. */
export function wireName(name: string): string {
  if (legal.test(name)) return name
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unknown'
}

/** The arguments as the text of a JSON object; the model's own text if it was one. */
export function argumentsText({ rawArgs, args }: Pick<CallPart, 'rawArgs' | 'args'>): string {
  // A call with `args` has been parsed before, so a text in braces is known to be that object.
  const written = rawArgs.trim()
  const isRead = args !== undefined && written.startsWith('{') && written.endsWith('}')
  if (isRead || isObject(tryParseJson(rawArgs))) return rawArgs
  return JSON.stringify(args ?? {})
}

/** Services reject an empty result. */
export function resultText(text: string): string {
  return text.trim() === '' ? '(no output)' : text
}

/** OpenAI rejects an object schema without properties, although it is valid JSON Schema. */
export function withProperties(schema: JsonSchema): JsonSchema {
  return schema.properties === undefined ? { ...schema, properties: {} } : schema
}
