/** Answers that have to fit a schema: what the model is told of it, and how its words are read. */
import type { JsonSchema, JsonValue } from '#lib/spec/json'
import { misfit } from '../fit/misfit'

export type ReadOutput =
  | { readonly ok: true; readonly value: JsonValue }
  /** `fault` says what to mend. */
  | { readonly ok: false; readonly fault: string }

/** Reads an answer in words: JSON alone, or the one fenced block that it is. */
export function readOutput(text: string, schema: JsonSchema): ReadOutput {
  const value = parseJson(bare(text))
  if (value === undefined) return { ok: false, fault: 'It is no JSON.' }
  const fault = misfit(schema, value)
  return fault === undefined ? { ok: true, value } : { ok: false, fault }
}

function bare(text: string): string {
  const fenced = /^\s*(`{3,})(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n?\1\s*$/i.exec(text)
  return fenced?.[2] ?? text
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Stands after the instructions. */
export function outputWords(schema: JsonSchema, isFinishOffered: boolean): string {
  const how = isFinishOffered
    ? 'Give your final answer by calling the tool finish, or as nothing but JSON'
    : 'Give your final answer as nothing but JSON'
  return `\n\n${how} that fits this JSON Schema:\n${JSON.stringify(schema)}`
}
