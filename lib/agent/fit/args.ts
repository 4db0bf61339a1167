/** Parses a call's arguments strictly, corrects their form to the tool's schema, and checks them. */

import { typeOf } from '#lib/schema/read'
import { type JsonObject, type JsonValue, ownValue } from '#lib/spec/json'
import type { InvalidCall } from '#lib/spec/message'
import type { SharedName } from '#lib/spec/tool'
import type { BoundTool } from '#lib/spec/toolkit'
import { coerceArguments } from './coerce'
import { misfit, misfitOf } from './misfit'

/** A recursive encoder could not encode deeper arguments again. */
const maxDepth = 64
/** How many times arguments may be JSON text inside JSON text. */
const maxEncodings = 2

export type ReadArgs = { readonly args: JsonObject } | { readonly invalid: InvalidCall }

/**
 * Reads the arguments as the model wrote them. Empty text, `""` and `null` are read as `{}`; anything else
 * that is not an object is invalid.
 */
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

/** Unwraps JSON text inside JSON text. Text that is not JSON stays text. */
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

/**
 * Strips `__proto__` keys in place; false when the value is too deep. Iterative, as the model sets the depth.
 */
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

/** The arguments a body runs with, their form corrected if needed; or why they do not fit. */
export function fitArgs(tool: BoundTool, given: JsonObject): ReadArgs {
  const { name, parameters } = tool
  const own = withoutSharedNames(tool, given)
  if ('invalid' in own) return own
  const args = underOwnNames(tool, own.args)
  const wrong = misfitOf(parameters, args)
  if (wrong === undefined) return { args }
  const mended = wrong.isUnchecked ? args : coerceArguments(parameters, args)
  const still = mended === args ? wrong.text : misfit(parameters, mended)
  if (still !== undefined)
    return { invalid: { code: 'args_schema', message: `The arguments do not fit ${name}: ${still}.` } }
  return tidy(mended) ? { args: mended } : { invalid: tooDeep }
}

/** The argument that chose this tool among those that share a name is no argument of the tool itself. */
function withoutSharedNames(
  { sharedNames = [], scopeName, parameters }: BoundTool,
  given: JsonObject,
): ReadArgs {
  let args = given
  for (const argument of new Set(sharedNames.map((each) => each.argument))) {
    const value = ownValue(args, argument)
    if (typeof value !== 'string' || ownValue(parameters.properties ?? {}, argument) !== undefined) continue
    const sharing = sharedNames.filter((each) => each.argument === argument)
    const meant = sharing.map(({ tools }) => ownValue(tools, value))
    if (meant.every((each) => each === undefined)) return { invalid: unknownValue(sharing, argument, value) }
    if (!meant.includes(scopeName)) continue
    const { [argument]: _, ...rest } = args
    args = rest
  }
  return { args }
}

function unknownValue(sharing: readonly SharedName[], argument: string, value: string): InvalidCall {
  const known = sharing.map(({ name, tools }) => `${name} takes ${Object.keys(tools).join(', ')}`).join('; ')
  const message = `There is no ${argument} ${JSON.stringify(value.slice(0, 100))}: ${known}.`
  return { code: 'args_schema', message }
}

/** An argument under another name counts, unless the tool has an argument of that name or its own was sent. */
function underOwnNames({ argumentAliases, parameters }: BoundTool, args: JsonObject): JsonObject {
  if (argumentAliases === undefined) return args
  const { properties = {} } = parameters
  const isFree = (own: string) => Object.hasOwn(properties, own) && !Object.hasOwn(args, own)
  return Object.fromEntries(
    Object.entries(args).flatMap(([key, value]): [string, JsonValue][] => {
      const own = ownValue(argumentAliases, key)
      if (own === undefined || Object.hasOwn(properties, key)) return [[key, value]]
      if (typeof own === 'string') return [[isFree(own) ? own : key, value]]
      if (!Array.isArray(value) || value.length > own.length || !own.every(isFree)) return [[key, value]]
      return own.flatMap((name, at): [string, JsonValue][] => {
        const item = value[at]
        return item === undefined || item === null || item === -1 ? [] : [[name, item]]
      })
    }),
  )
}
