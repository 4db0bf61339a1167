/** Explains where a value does not fit a schema, what is wrong, and what is expected instead. */
import { type Checked, checkValue, type SchemaFinding } from '#lib/schema/check'
import { schemaAt, stepsOf, typeOf, typesOf } from '#lib/schema/read'
import type { JsonSchema, JsonValue } from '#lib/spec/json'
import { nearestFirst } from '#lib/spec/nearest'

const maxFindings = 5
const maxKeys = 20
/** The most characters of a value or an expectation in a message. */
const maxTold = 200
/** The most characters of a value's path in a message. */
const maxPlace = 500
/** The most findings that are put into words; the rest are only counted, since each sentence costs time. */
const maxWorded = 100
/** The most known keys that an unknown key is compared with. */
const maxCompared = 500

/** Undefined when a call's arguments or an answer fit; otherwise what to correct, in words for the model. */
export function misfit(schema: JsonSchema, args: JsonValue): string | undefined {
  return misfitOf(schema, args)?.text
}

export interface Misfit {
  readonly text: string
  /** Whether the schema itself cannot be checked, so that no other form of the value would help. */
  readonly isUnchecked: boolean
}

export function misfitOf(schema: JsonSchema, args: JsonValue): Misfit | undefined {
  const checked = checkValue(schema, args)
  if (checked.verdict === 'fits') return undefined
  if (checked.verdict === 'misfit') return { text: describeMisfit(schema, args, checked), isUnchecked: false }
  return { text: `its schema cannot be checked (${checked.why.slice(0, maxTold)})`, isUnchecked: true }
}

/** What is wrong at one place of a value. */
export interface PlacedFault {
  /** The path of the value, with `/` between its steps; empty for the whole. */
  readonly path: string
  readonly message: string
}

/** What is wrong with a value, place by place; empty when it fits. */
export function faultsOf(schema: JsonSchema, value: JsonValue): readonly PlacedFault[] {
  const checked = checkValue(schema, value)
  if (checked.verdict === 'fits') return []
  if (checked.verdict === 'unchecked')
    return [{ path: '', message: `cannot be checked (${checked.why.slice(0, maxTold)})` }]
  const units = leaves(checked.findings).slice(0, maxWorded)
  return findings(schema, value, units).map(({ path, said }) => ({ path: placeOf(path), message: said }))
}

function describeMisfit(
  schema: JsonSchema,
  args: JsonValue,
  checked: Extract<Checked, { verdict: 'misfit' }>,
): string {
  const units = leaves(checked.findings)
  const found = findings(schema, args, units.slice(0, maxWorded)).map(({ path, said }) => at(path, said))
  const count = found.length + Math.max(0, units.length - maxWorded)
  const shown = found.slice(0, maxFindings).join('; ')
  if (!checked.isWhole) return `${shown} (and more)`
  return count > maxFindings ? `${shown} (and ${count - maxFindings} more)` : shown
}

/** Applicators only repeat that something inside them does not fit. */
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

function leaves(errors: readonly SchemaFinding[]): SchemaFinding[] {
  const found = errors.filter((each) => !applicators.has(each.keyword) && each.keyword !== 'false')
  return found.length > 0 ? found : [...errors]
}

/** A finding in words, with its place. */
interface Told {
  readonly path: readonly string[]
  readonly said: string
}

function findings(schema: JsonSchema, args: JsonValue, units: readonly SchemaFinding[]): Told[] {
  const all = new Map<string, Told>()
  const wanted = new Map<string, Set<string>>()
  for (const { keyword, keywordLocation, instanceLocation } of units) {
    if (keyword !== 'type') continue
    const types = wanted.get(instanceLocation) ?? new Set()
    wanted.set(instanceLocation, types)
    for (const type of typesOf(ownerOf(schema, keywordLocation))) types.add(type)
  }
  for (const unit of units) {
    const types = [...(wanted.get(unit.instanceLocation) ?? [])].join(' or ')
    const found = finding({ schema, args, types }, unit)
    all.set(at(found.path, found.said), found)
  }
  return [...all.values()]
}

/** The schema that holds the keyword. */
function ownerOf(schema: JsonSchema, keywordLocation: string): JsonSchema {
  return schemaAt(schema, keywordLocation.slice(0, keywordLocation.lastIndexOf('/'))) ?? {}
}

interface Looked {
  readonly schema: JsonSchema
  readonly args: JsonValue
  /** The types wanted at the finding, in words. */
  readonly types: string
}

function finding(
  { schema, args, types }: Looked,
  { keyword, keywordLocation, instanceLocation, error }: SchemaFinding,
): Told {
  const path = stepsOf(instanceLocation)
  const owner = ownerOf(schema, keywordLocation)
  const named = /"(.*)"/s.exec(error)?.[1] ?? ''
  switch (keyword) {
    case 'type': {
      const value = valueAt(args, path)
      return told(path, `is ${article(typeOf(value))} (${brief(value)}), expected ${types}`)
    }
    case 'required':
      return told([...path, named], `is missing, expected ${expectation(schema, owner.properties?.[named])}`)
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const key = error
        .replace(/^Property "/, '')
        .replace(/" does not match (additional|unevaluated) properties schema\.$/, '')
      return told([...path, key.slice(0, maxTold)], `is not known; ${knownKeys(key, owner)}`)
    }
    case 'enum':
      return told(path, `is ${brief(valueAt(args, path))}, expected one of ${brief(owner.enum ?? [])}`)
    case 'const':
      return told(path, `is ${brief(valueAt(args, path))}, expected ${brief(owner.const ?? null)}`)
    case 'pattern':
      return told(
        path,
        `is ${brief(valueAt(args, path))}, expected text that matches ${brief(String(owner.pattern))}`,
      )
    default:
      // The validator's own words do for all other keywords.
      return told(path, lowerFirstLetter(error.replace(/^Instance /, '').replace(/\.$/, '')))
  }
}

function told(path: readonly string[], said: string): Told {
  return { path, said }
}

function at(path: readonly string[], said: string): string {
  return path.length === 0 ? said : `${placeOf(path)}: ${said}`
}

function placeOf(path: readonly string[]): string {
  const place = path.join('/')
  return place.length > maxPlace ? `${place.slice(0, maxPlace)}…` : place
}

function lowerFirstLetter(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1, maxTold)}`
}

function knownKeys(key: string, { properties = {} }: JsonSchema): string {
  const all = Object.keys(properties)
  const known = nearestFirst(key, all.slice(0, maxCompared))
  if (known.length === 0) return 'no keys are known here'
  const more = all.length > maxKeys ? ` and ${all.length - maxKeys} more` : ''
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
  const text = briefJson(value, maxTold + 1)
  return text.length > maxTold ? `${text.slice(0, maxTold)}…` : text
}

/**
 * The beginning of the value as JSON, at least this many characters where there are as many. Large values are
 * not encoded in full.
 */
function briefJson(value: JsonValue, length: number): string {
  if (typeof value === 'string')
    return JSON.stringify(value.slice(0, length)).slice(0, value.length > length ? -1 : undefined)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  let text = `${open}`
  let isFirst = true
  for (const key in value) {
    if (text.length >= length) return text
    const inner = Array.isArray(value) ? value[Number(key)] : value[key]
    if (inner === undefined) continue
    const name = Array.isArray(value) ? '' : `${JSON.stringify(key.slice(0, length))}:`
    text += `${isFirst ? '' : ','}${name}${briefJson(inner, length - text.length)}`
    isFirst = false
  }
  return `${text}${close}`
}

function valueAt(root: JsonValue, path: readonly string[]): JsonValue {
  let value: JsonValue = root
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return null
    value = (Array.isArray(value) ? value[Number(step)] : value[step]) ?? null
  }
  return value
}
