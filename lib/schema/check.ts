/**
 * Checks a value against a JSON Schema (draft 2020-12) by interpreting the schema, not by generating code.
 * Both may be hostile: a check that would take too much work is not made, and the result says so.
 */
import type { JsonSchema, JsonValue } from '#lib/spec/json'
import { makeReady } from './keywords'
import { Document, SchemaCheck, type SchemaFinding } from './run'
import { Unchecked, workFor } from './work'

export type { SchemaFinding } from './run'

export type Checked =
  | { readonly verdict: 'fits' }
  /** At least one finding; not all of them when listing them would take too much work. */
  | { readonly verdict: 'misfit'; readonly findings: readonly SchemaFinding[]; readonly isWhole: boolean }
  /** `why` says in a few words why the value was not checked. The caller must reject it. */
  | { readonly verdict: 'unchecked'; readonly why: string }

const documents = new WeakMap<JsonSchema, Document>()

export function checkValue(schema: JsonSchema, value: JsonValue): Checked {
  let document = documents.get(schema)
  try {
    if (document === undefined) {
      document = new Document(schema, makeReady)
      documents.set(schema, document)
    }
    // Most values fit, which is fastest to find out without recording locations.
    const run = new SchemaCheck(document, workFor(value))
    if (run.fits(schema, value)) return { verdict: 'fits' }
  } catch (error) {
    return { verdict: 'unchecked', why: whyOf(error) }
  }
  return listing(document, schema, value)
}

function listing(document: Document, schema: JsonSchema, value: JsonValue): Checked {
  const findings: SchemaFinding[] = []
  try {
    const run = new SchemaCheck(document, workFor(value), findings)
    run.fits(schema, value)
    return { verdict: 'misfit', findings, isWhole: true }
  } catch (error) {
    if (findings.length > 0) return { verdict: 'misfit', findings, isWhole: false }
    return { verdict: 'unchecked', why: whyOf(error) }
  }
}

function whyOf(error: unknown): string {
  if (error instanceof Unchecked) return error.message
  // The limits leave room on the stack. If they ever do not, the value is rejected.
  if (error instanceof RangeError) return 'it is nested too deep'
  throw error
}
