/** Keywords about a value as a whole, about numbers and about texts. */
import type { JsonSchema, JsonValue } from '#lib/spec/json'
import { canonicalKey } from './canonical'
import { formatOf } from './formats'
import { Pattern } from './pattern'
import type { Check } from './run'
import { Unchecked, Work } from './work'

export function valueChecks(schema: JsonSchema): Check[] {
  return [...typeChecks(schema), ...constChecks(schema), ...enumChecks(schema)]
}

function rawType(value: JsonValue): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function isOf(type: unknown, value: JsonValue): boolean {
  return type === 'integer' ? typeof value === 'number' && Number.isInteger(value) : rawType(value) === type
}

function typeChecks({ type }: { type?: unknown }): Check[] {
  if (type === undefined) return []
  const types: unknown[] = Array.isArray(type) ? type : [type]
  return [
    (run, value, instance, location) => {
      for (const each of types) if (isOf(each, value)) return true
      if (run.isListing) {
        const error = `Instance type "${rawType(value)}" is invalid. Expected "${types.join('", "')}".`
        run.note('type', `${location}/type`, instance, error)
      }
      return false
    },
  ]
}

/**
 * Reading the schema's own values is not counted, since its size bounds the cost. A value pays for itself.
 */
const ownWork = () => new Work(Number.POSITIVE_INFINITY)

function constChecks({ const: constant }: JsonSchema): Check[] {
  if (constant === undefined) return []
  const members = new Members([constant])
  return [
    (run, value, instance, location) => {
      if (members.has(value, run.work)) return true
      if (run.isListing)
        run.note('const', `${location}/const`, instance, `Instance does not match ${members.text[0]}.`)
      return false
    },
  ]
}

function enumChecks({ enum: given }: { enum?: unknown }): Check[] {
  if (given === undefined) return []
  const members = Array.isArray(given) ? new Members(given) : undefined
  return [
    (run, value, instance, location) => {
      if (members === undefined) throw new Unchecked('its “enum” is not a list')
      if (members.has(value, run.work)) return true
      if (run.isListing)
        run.note(
          'enum',
          `${location}/enum`,
          instance,
          `Instance does not match any of [${members.text.join(',')}].`,
        )
      return false
    },
  ]
}

/** A set of JSON values with fast lookup, whatever its size. */
class Members {
  readonly #simple: Set<JsonValue>
  readonly #compound: ReadonlySet<string>
  #text: string[] | undefined

  constructor(readonly values: readonly JsonValue[]) {
    const isCompound = (value: JsonValue) => typeof value === 'object' && value !== null
    this.#simple = new Set(values.filter((each) => !isCompound(each)))
    this.#compound = new Set(values.filter(isCompound).map((each) => canonicalKey(each, ownWork())))
  }

  has(value: JsonValue, work: Work): boolean {
    if (typeof value !== 'object' || value === null) return this.#simple.has(value)
    return this.#compound.size > 0 && this.#compound.has(canonicalKey(value, work))
  }

  get text(): string[] {
    this.#text ??= this.values.map((each) => JSON.stringify(each))
    return this.#text
  }
}

export function scalarChecks(schema: JsonSchema): Check[] {
  return [...numberChecks(schema), ...textChecks(schema)]
}

function numberChecks(schema: JsonSchema): Check[] {
  const bounds: [string, (value: number, bound: number) => boolean, string][] = [
    ['minimum', (value, bound) => value < bound, 'less than'],
    ['maximum', (value, bound) => value > bound, 'greater than'],
    ['exclusiveMinimum', (value, bound) => value <= bound, 'less than'],
    ['exclusiveMaximum', (value, bound) => value >= bound, 'greater than or equal to'],
  ]
  const checks: Check[] = bounds
    .filter(([keyword]) => schema[keyword] !== undefined)
    .map(([keyword, isOutside, words]) => {
      const bound = Number(schema[keyword])
      return (run, value, instance, location) => {
        if (typeof value !== 'number' || !isOutside(value, bound)) return true
        if (run.isListing)
          run.note(keyword, `${location}/${keyword}`, instance, `${value} is ${words} ${schema[keyword]}.`)
        return false
      }
    })
  const { multipleOf } = schema
  if (multipleOf !== undefined)
    checks.push((run, value, instance, location) => {
      if (typeof value !== 'number' || isMultipleOf(value, Number(multipleOf))) return true
      if (run.isListing)
        run.note(
          'multipleOf',
          `${location}/multipleOf`,
          instance,
          `${value} is not a multiple of ${multipleOf}.`,
        )
      return false
    })
  return checks
}

/** In decimal: 0.3 is three times 0.1. */
function isMultipleOf(value: number, divisor: number): boolean {
  if (!Number.isFinite(value) || !Number.isFinite(divisor) || divisor <= 0) return false
  const [digits, exponent] = decimal(value)
  const [ownDigits, ownExponent] = decimal(divisor)
  // The exponent of a double is small, so these powers are small as well.
  const more = exponent - ownExponent
  return more >= 0
    ? (digits * 10n ** BigInt(more)) % ownDigits === 0n
    : digits % (ownDigits * 10n ** BigInt(-more)) === 0n
}

/** The number as an integer times a power of ten. */
function decimal(value: number): [digits: bigint, exponent: number] {
  const [written = '0', exponent = '0'] = String(Math.abs(value)).split('e')
  const [whole = '', fraction = ''] = written.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}

function textChecks(schema: JsonSchema): Check[] {
  return [...lengthChecks(schema), ...patternChecks(schema), ...formatChecks(schema)]
}

function lengthChecks({ minLength, maxLength }: JsonSchema): Check[] {
  if (minLength === undefined && maxLength === undefined) return []
  return [
    (run, value, instance, location) => {
      if (typeof value !== 'string') return true
      run.work.spend(value.length / 16)
      const length = pointsIn(value)
      const isShort = minLength !== undefined && length < Number(minLength)
      const isLong = maxLength !== undefined && length > Number(maxLength)
      if (isShort && run.isListing)
        run.note(
          'minLength',
          `${location}/minLength`,
          instance,
          `String is too short (${length} < ${minLength}).`,
        )
      if (isLong && run.isListing)
        run.note(
          'maxLength',
          `${location}/maxLength`,
          instance,
          `String is too long (${length} > ${maxLength}).`,
        )
      return !isShort && !isLong
    },
  ]
}

function pointsIn(text: string): number {
  let points = text.length
  for (let at = 0; at < text.length - 1; at++) {
    const isHigh = (text.charCodeAt(at) & 0xfc00) === 0xd800
    if (!isHigh || (text.charCodeAt(at + 1) & 0xfc00) !== 0xdc00) continue
    points--
    at++
  }
  return points
}

function patternChecks({ pattern: given }: JsonSchema): Check[] {
  if (given === undefined) return []
  let pattern: Pattern | undefined
  return [
    (run, value, instance, location) => {
      if (typeof value !== 'string') return true
      pattern ??= new Pattern(String(given))
      if (pattern.test(value, run.work)) return true
      if (run.isListing)
        run.note('pattern', `${location}/pattern`, instance, 'String does not match pattern.')
      return false
    },
  ]
}

function formatChecks({ format: name }: JsonSchema): Check[] {
  const format = typeof name === 'string' ? formatOf(name) : undefined
  if (format === undefined) return []
  return [
    (run, value, instance, location) => {
      if (typeof value !== 'string') return true
      run.work.spend(10 + value.length)
      if (format(value, run.work)) return true
      if (run.isListing)
        run.note('format', `${location}/format`, instance, `String does not match format "${name}".`)
      return false
    },
  ]
}
