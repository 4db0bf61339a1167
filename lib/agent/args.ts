/** Arguments of a call: read strictly once they are whole, and held to the tool's schema. */
import { type OutputUnit, Validator } from '@cfworker/json-schema'
import type { JsonObject, JsonSchema, JsonValue } from '#lib/spec/json'
import type { InvalidCall } from '#lib/spec/message'
import type { BoundTool } from '#lib/spec/toolkit'

/** Deeper arguments could not be encoded again by a recursive encoder. */
const maxDepth = 64
const maxFindings = 5

export type ReadArgs = { readonly args: JsonObject } | { readonly invalid: InvalidCall }

/** Reads the arguments as the model wrote them; none at all are `{}`. */
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
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { invalid: { code: 'args_schema', message: 'The arguments must be one JSON object.' } }
  }
  if (!tidy(value)) {
    return {
      invalid: { code: 'args_json', message: `The arguments are nested more than ${maxDepth} levels deep.` },
    }
  }
  return { args: value }
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

const validators = new WeakMap<JsonSchema, Validator>()

/** Nothing when the arguments fit; else what to mend, in words the model can use. */
export function checkArgs(tool: BoundTool, args: JsonObject): InvalidCall | undefined {
  const findings = findingsIn(tool.parameters, args)
  if (findings.length === 0) return undefined
  const shown = findings.slice(0, maxFindings).join('; ')
  const more = findings.length > maxFindings ? ` (and ${findings.length - maxFindings} more)` : ''
  return { code: 'args_schema', message: `The arguments do not fit ${tool.name}: ${shown}${more}` }
}

function findingsIn(schema: JsonSchema, args: JsonObject): string[] {
  try {
    const { valid, errors } = validatorOf(schema).validate(args)
    return valid ? [] : leaves(errors).map(finding)
  } catch (error) {
    // A foreign schema may hold a pattern or a reference that cannot be read.
    return [
      `its schema cannot be checked (${error instanceof Error ? error.message.slice(0, 200) : 'unreadable'})`,
    ]
  }
}

function validatorOf(schema: JsonSchema): Validator {
  let validator = validators.get(schema)
  if (validator === undefined) {
    // cast: the validator's own type lists the keywords it knows; ours is any JSON Schema.
    validator = new Validator(schema as ConstructorParameters<typeof Validator>[0], '2020-12', false)
    validators.set(schema, validator)
  }
  return validator
}

/** Applicators only repeat that something below them does not fit. */
const applicators = new Set(['properties', 'patternProperties', 'items', 'prefixItems', '$ref', 'allOf'])

function leaves(errors: readonly OutputUnit[]): OutputUnit[] {
  const found = errors.filter((each) => !applicators.has(each.keyword) && each.keyword !== 'false')
  return found.length > 0 ? found : [...errors]
}

function finding({ keyword, instanceLocation, error }: OutputUnit): string {
  const at = instanceLocation.replace(/^#\/?/, '')
  const said =
    keyword === 'additionalProperties'
      ? error.replace(/ does not match.*$/, ' is not known.')
      : error.replace(/^Instance /, '')
  return `${at === '' ? '' : `${at}: `}${said.replace(/\.$/, '')}`
}
