/**
 * Checks a value against a JSON Schema (draft 2020-12). The schema is interpreted, never made into code, and both it and
 * the value may be hostile: what would take too much work is not checked, and says so.
 */
import type { JsonSchema, JsonValue } from '#lib/spec/json'
import { makeReady } from './keywords'
import { Document, Run, type SchemaFinding } from './run'
import { Unchecked, workFor } from './work'

export type { SchemaFinding } from './run'

export type Checked =
  | { readonly verdict: 'fits' }
  /** At least one finding; not all of them when listing them would take too much work. */
  | { readonly verdict: 'misfit'; readonly findings: readonly SchemaFinding[]; readonly isWhole: boolean }
  /** `why` says in a few words why nothing can be said of the value: whoever asks has to refuse it. */
  | { readonly verdict: 'unchecked'; readonly why: string }

const documents = new WeakMap<JsonSchema, Document>()

export function checkValue(schema: JsonSchema, value: JsonValue): Checked {
  let document = documents.get(schema)
  try {
    if (document === undefined) {
      document = new Document(schema, makeReady)
      documents.set(schema, document)
    }
    // Most values fit, and that is soonest said without noting where anything is.
    const run = new Run(document, workFor(value))
    if (run.fits(schema, value)) return { verdict: 'fits' }
  } catch (error) {
    return { verdict: 'unchecked', why: whyOf(error) }
  }
  return listing(document, schema, value)
}

function listing(document: Document, schema: JsonSchema, value: JsonValue): Checked {
  const findings: SchemaFinding[] = []
  try {
    const run = new Run(document, workFor(value), findings)
    run.fits(schema, value)
    return { verdict: 'misfit', findings, isWhole: true }
  } catch (error) {
    if (findings.length > 0) return { verdict: 'misfit', findings, isWhole: false }
    return { verdict: 'unchecked', why: whyOf(error) }
  }
}

function whyOf(error: unknown): string {
  if (error instanceof Unchecked) return error.message
  // The bounds leave room on the stack; should they not, nothing is let through.
  if (error instanceof RangeError) return 'it is nested too deep'
  throw error
}
