/** Answers that must fit a schema: how the model is asked for them, and how its text is read. */
import { type JsonSchema, type JsonValue, tryParseJson } from '#lib/spec/json'
import { misfit } from '../fit/misfit'

export type ReadOutput =
  | { readonly ok: true; readonly value: JsonValue }
  /** `fault` says what to correct. */
  | { readonly ok: false; readonly fault: string }

/** Reads an answer given as text: plain JSON, or JSON in a single fenced block. */
export function readOutput(text: string, schema: JsonSchema): ReadOutput {
  const value = tryParseJson(bareJson(text))
  if (value === undefined) return { ok: false, fault: 'It is no JSON.' }
  const fault = misfit(schema, value)
  return fault === undefined ? { ok: true, value } : { ok: false, fault }
}

/** JSON in a single fenced block without its fence, and any other text as it is. */
export function bareJson(text: string): string {
  const fenced = /^\s*(`{3,})(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n?\1\s*$/i.exec(text)
  return fenced?.[2] ?? text
}

/** The text to append to the instructions. */
export function outputWords(schema: JsonSchema, isFinishOffered: boolean): string {
  const how = isFinishOffered
    ? 'Give your final answer by calling the tool finish, or as nothing but JSON'
    : 'Give your final answer as nothing but JSON'
  return `\n\n${how} that fits this JSON Schema:\n${JSON.stringify(schema)}`
}
