/** Arguments of a call: read strictly once they are whole, put into the form the tool's schema wants, and held to it. */

import { typeOf } from '#lib/schema/read'
import type { JsonObject, JsonValue } from '#lib/spec/json'
import type { InvalidCall } from '#lib/spec/message'
import type { BoundTool } from '#lib/spec/toolkit'
import { coerceArguments } from './coerce'
import { misfit, misfitOf } from './misfit'

/** Deeper arguments could not be encoded again by a recursive encoder. */
const maxDepth = 64
/** How often arguments may be JSON text within JSON text. */
const maxEncodings = 2

export type ReadArgs = { readonly args: JsonObject } | { readonly invalid: InvalidCall }

/** Reads the arguments as the model wrote them. None at all, `""` and `null` are `{}`; whatever else is no object is invalid. */
export function readArgs(raw: string): ReadArgs {
  if (raw.trim() === '') return { args: {} }
  let value: JsonValue
  try {
    value = JSON.parse(raw)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unreadable'
    return {
      invalid: { code: 'args_json', message: `The arguments are not valid JSON: ${why.slice(0, 200)}` },
    }
  }
  const read = unwrapJsonText(value)
  if (read === null || (typeof read === 'string' && read.trim() === '')) return { args: {} }
  if (typeof read !== 'object' || Array.isArray(read)) {
    const message = `The arguments must be one JSON object with the tool's parameters as keys, not of type ${typeOf(read)}.`
    return { invalid: { code: 'args_schema', message } }
  }
  return tidy(read) ? { args: read } : { invalid: tooDeep }
}

const tooDeep: InvalidCall = {
  code: 'args_json',
  message: `The arguments are nested more than ${maxDepth} levels deep.`,
}

/** The value within JSON text within JSON text; text that is none stays text. */
function unwrapJsonText(given: JsonValue): JsonValue {
  let value = given
  for (let turn = 0; turn < maxEncodings && typeof value === 'string' && value.trim() !== ''; turn++) {
    try {
      value = JSON.parse(value)
    } catch {
      return value
    }
  }
  return value
}

/** Strips `__proto__` keys in place; false when the value is too deep. Iterative, since the depth is the model's choice. */
function tidy(root: JsonObject): boolean {
  const left: { value: JsonValue; depth: number }[] = [{ value: root, depth: 1 }]
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    const { value, depth } = each
    if (typeof value !== 'object' || value === null) continue
    if (depth > maxDepth) return false
    if (!Array.isArray(value) && Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__')
    for (const inner of Object.values(value)) {
      if (typeof inner === 'object' && inner !== null) left.push({ value: inner, depth: depth + 1 })
    }
  }
  return true
}

/** The arguments a body runs with: as they came when they fit, else with their form put right; or why they do not fit. */
export function fitArgs({ name, parameters }: BoundTool, args: JsonObject): ReadArgs {
  const wrong = misfitOf(parameters, args)
  if (wrong === undefined) return { args }
  const mended = wrong.isUnchecked ? args : coerceArguments(parameters, args)
  const still = mended === args ? wrong.text : misfit(parameters, mended)
  if (still !== undefined)
    return { invalid: { code: 'args_schema', message: `The arguments do not fit ${name}: ${still}.` } }
  return tidy(mended) ? { args: mended } : { invalid: tooDeep }
}
