/** Says what of a call's arguments, or of an answer, does not fit a schema: where, what is wrong, and what is expected instead. */
import { type OutputUnit, Validator } from '@cfworker/json-schema'
import type { JsonSchema, JsonValue } from '#lib/spec/json'
import { nearestFirst } from './nearest'
import { schemaAt, stepsOf, typeOf, typesOf } from './schema'

const maxFindings = 5
const maxKeys = 20
/** Characters of a value or an expectation that are told. */
const maxTold = 200

const validators = new WeakMap<JsonSchema, Validator>()

function validatorOf(schema: JsonSchema): Validator {
  let validator = validators.get(schema)
  if (validator === undefined) {
    // cast: the validator's own type lists the keywords it knows; ours is any JSON Schema.
    validator = new Validator(schema as ConstructorParameters<typeof Validator>[0], '2020-12', false)
    validators.set(schema, validator)
  }
  return validator
}

/** Nothing when the value (a call's arguments, or an answer) fits; else what to mend, in words the model can use. */
export function misfit(schema: JsonSchema, args: JsonValue): string | undefined {
  let errors: readonly OutputUnit[]
  try {
    const answer = validatorOf(schema).validate(args)
    if (answer.valid) return undefined
    errors = answer.errors
  } catch (error) {
    // A foreign schema may hold a pattern or a reference that cannot be read.
    const why = error instanceof Error ? error.message.slice(0, maxTold) : 'unreadable'
    return `its schema cannot be checked (${why})`
  }
  const found = findings(schema, args, leaves(errors))
  const shown = found.slice(0, maxFindings).join('; ')
  return found.length > maxFindings ? `${shown} (and ${found.length - maxFindings} more)` : shown
}

/** Applicators only repeat that something below them does not fit. */
const applicators = new Set([
  'properties',
  'patternProperties',
  'items',
  'prefixItems',
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
])

function leaves(errors: readonly OutputUnit[]): OutputUnit[] {
  const found = errors.filter((each) => !applicators.has(each.keyword) && each.keyword !== 'false')
  return found.length > 0 ? found : [...errors]
}

function findings(schema: JsonSchema, args: JsonValue, units: readonly OutputUnit[]): string[] {
  const told = new Set<string>()
  const wanted = new Map<string, Set<string>>()
  for (const { keyword, keywordLocation, instanceLocation } of units) {
    if (keyword !== 'type') continue
    const types = wanted.get(instanceLocation) ?? new Set()
    wanted.set(instanceLocation, types)
    for (const type of typesOf(ownerOf(schema, keywordLocation))) types.add(type)
  }
  for (const unit of units) {
    const types = [...(wanted.get(unit.instanceLocation) ?? [])].join(' or ')
    told.add(finding({ schema, args, types }, unit))
  }
  return [...told]
}

/** The schema that holds the keyword. */
function ownerOf(schema: JsonSchema, keywordLocation: string): JsonSchema {
  return schemaAt(schema, keywordLocation.slice(0, keywordLocation.lastIndexOf('/'))) ?? {}
}

interface Checked {
  readonly schema: JsonSchema
  readonly args: JsonValue
  /** The types wanted where the finding is, in words. */
  readonly types: string
}

function finding(
  { schema, args, types }: Checked,
  { keyword, keywordLocation, instanceLocation, error }: OutputUnit,
): string {
  const path = stepsOf(instanceLocation)
  const owner = ownerOf(schema, keywordLocation)
  const named = /"(.*)"/s.exec(error)?.[1] ?? ''
  switch (keyword) {
    case 'type': {
      const value = valueAt(args, path)
      return at(path, `is ${article(typeOf(value))} (${brief(value)}), expected ${types}`)
    }
    case 'required':
      return at([...path, named], `is missing, expected ${expectation(schema, owner.properties?.[named])}`)
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const key = error
        .replace(/^Property "/, '')
        .replace(/" does not match (additional|unevaluated) properties schema\.$/, '')
      return at([...path, key.slice(0, maxTold)], `is not known; ${knownKeys(key, owner)}`)
    }
    case 'enum':
      return at(path, `is ${brief(valueAt(args, path))}, expected one of ${brief(owner.enum ?? [])}`)
    case 'const':
      return at(path, `is ${brief(valueAt(args, path))}, expected ${brief(owner.const ?? null)}`)
    case 'pattern':
      return at(
        path,
        `is ${brief(valueAt(args, path))}, expected text that matches ${brief(String(owner.pattern))}`,
      )
    default:
      return at(path, lowered(error.replace(/^Instance /, '').replace(/\.$/, '')))
  }
}

function at(path: readonly string[], said: string): string {
  return path.length === 0 ? said : `${path.join('/')}: ${said}`
}

function lowered(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1, maxTold)}`
}

function knownKeys(key: string, { properties = {} }: JsonSchema): string {
  const known = nearestFirst(key, Object.keys(properties))
  if (known.length === 0) return 'no keys are known here'
  const more = known.length > maxKeys ? ` and ${known.length - maxKeys} more` : ''
  return `known: ${known.slice(0, maxKeys).join(', ')}${more}`
}

function expectation(root: JsonSchema, schema: JsonSchema | undefined): string {
  const known = schema?.$ref === undefined ? schema : schemaAt(root, String(schema.$ref))
  if (known?.enum !== undefined) return `one of ${brief(known.enum)}`
  const types = typesOf(known ?? {})
  return types.length === 0 ? 'a value' : types.join(' or ')
}

function article(type: string): string {
  if (type === 'null') return 'null'
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}

function brief(value: JsonValue): string {
  const text = JSON.stringify(value)
  return text.length > maxTold ? `${text.slice(0, maxTold)}…` : text
}

function valueAt(root: JsonValue, path: readonly string[]): JsonValue {
  let value: JsonValue = root
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return null
    value = (Array.isArray(value) ? value[Number(step)] : value[step]) ?? null
  }
  return value
}
