/** Calls on their way back to a model: names and ids that every service takes, arguments that are JSON. */
import type { JsonSchema } from '#lib/spec/json'
import { type CallPart, callsOf, type Message } from '#lib/spec/message'
import { isObject, parseJson } from './json'

type Answer = Extract<Message, { role: 'assistant' }>

/** What services allow as an id, and as a name. */
const legal = /^[a-zA-Z0-9_-]{1,64}$/

/** By our id the one on the wire: the provider's own where it sent a usable one that is no other call's. */
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

/** A name that is in use passes as it is; what a model made up is made fit to be told. */
export function wireName(name: string): string {
  if (legal.test(name)) return name
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unknown'
}

/** The arguments as the text of a JSON object: what the model wrote when it was one. */
export function argumentsText({ rawArgs, args }: Pick<CallPart, 'rawArgs' | 'args'>): string {
  // What has arguments was read once already: text of this form was their object.
  const written = rawArgs.trim()
  const isRead = args !== undefined && written.startsWith('{') && written.endsWith('}')
  if (isRead || isObject(parseJson(rawArgs))) return rawArgs
  return JSON.stringify(args ?? {})
}

/** Services refuse a result that says nothing. */
export function resultText(text: string): string {
  return text.trim() === '' ? '(no output)' : text
}

/** OpenAI refuses an object that names no properties, though it is a schema like any other. */
export function withProperties(schema: JsonSchema): JsonSchema {
  return schema.properties === undefined ? { ...schema, properties: {} } : schema
}
