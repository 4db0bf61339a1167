/** Keywords about objects: their keys, and the values under them. */
import type { JsonObject, JsonSchema, JsonValue } from '#lib/spec/json'
import { Pattern } from './pattern'
import { escapeKey, isSchema } from './read'
import type { Check, SchemaCheck, Seen } from './run'
import { Unchecked } from './work'

export function objectChecks(schema: JsonSchema): Check[] {
  const checks = [
    ...requiredChecks(schema),
    ...countChecks(schema),
    ...nameChecks(schema),
    ...dependentChecks(schema),
    ...memberChecks(schema),
  ]
  return checks.map(
    (check): Check =>
      (run, value, instance, location, seen) =>
        !isSchema(value) || check(run, value as JsonObject, instance, location, seen), // cast: JSON that is an object
  )
}

type ObjectCheck = (
  run: SchemaCheck,
  value: JsonObject,
  instance: string,
  location: string,
  seen: Seen | undefined,
) => boolean

function keysIn(keyword: string, value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw new Unchecked(`its “${keyword}” is not a list of keys`)
  return value.map(String)
}

function membersOf(keyword: string, value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) throw new Unchecked(`its “${keyword}” is not an object`)
  return Object.entries(value)
}

/** Runs at the first check, so that an unreadable keyword matters only if a value reaches it. */
function once<T>(make: () => T): () => T {
  let made: { readonly it: T } | undefined
  return () => {
    made ??= { it: make() }
    return made.it
  }
}

function requiredChecks({ required }: { required?: unknown }): ObjectCheck[] {
  if (required === undefined) return []
  const keysOnce = once(() => keysIn('required', required))
  return [
    (run, value, instance, location) => {
      const keys = keysOnce()
      run.work.spend(2 * keys.length)
      let isFit = true
      for (const key of keys) {
        if (Object.hasOwn(value, key)) continue
        isFit = false
        if (!run.isListing) break
        run.note(
          'required',
          `${location}/required`,
          instance,
          `Instance does not have required property "${key}".`,
        )
      }
      return isFit
    },
  ]
}

function countChecks({ minProperties, maxProperties }: JsonSchema): ObjectCheck[] {
  if (minProperties === undefined && maxProperties === undefined) return []
  return [
    (run, value, instance, location) => {
      const count = Object.keys(value).length
      run.work.spend(count / 4)
      const isFew = minProperties !== undefined && count < Number(minProperties)
      const isMany = maxProperties !== undefined && count > Number(maxProperties)
      const error = (bound: unknown) => `Instance does not have at least ${bound} properties.`
      if (isFew && run.isListing)
        run.note('minProperties', `${location}/minProperties`, instance, error(minProperties))
      if (isMany && run.isListing)
        run.note('maxProperties', `${location}/maxProperties`, instance, error(maxProperties))
      return !isFew && !isMany
    },
  ]
}

function inner(run: SchemaCheck, instance: string, key: string): string {
  return run.isListing ? `${instance}/${escapeKey(key)}` : ''
}

function nameChecks({ propertyNames }: JsonSchema): ObjectCheck[] {
  if (propertyNames === undefined) return []
  return [
    (run, value, instance, location) =>
      every(run, Object.keys(value), (key) => {
        const at = `${location}/propertyNames`
        const mark = run.mark
        if (run.isListing)
          run.note('propertyNames', at, instance, `Property name "${key}" does not match schema.`)
        const isFit = run.fits(propertyNames, key, inner(run, instance, key), at)
        if (isFit) run.back(mark)
        return isFit
      }),
  ]
}

/**
 * Whether all of them fit. After the first that does not, the rest are checked only to list their findings.
 */
function every<T>(run: SchemaCheck, all: readonly T[], isFit: (each: T) => boolean): boolean {
  run.work.spend(2 * all.length)
  let fit = true
  for (const each of all) {
    if (isFit(each)) continue
    fit = false
    if (!run.isListing) break
  }
  return fit
}

function dependentChecks(schema: JsonSchema): ObjectCheck[] {
  const { dependentRequired, dependentSchemas, dependencies } = schema
  return [
    ...dependents('dependentRequired', 'dependantRequired', dependentRequired),
    ...dependents('dependentSchemas', 'dependentSchemas', dependentSchemas),
    ...dependents('dependencies', 'dependencies', dependencies),
  ]
}

/** What the presence of a key requires: other keys, or a schema. `at` is the keyword in findings. */
function dependents(keyword: string, at: string, given: unknown): ObjectCheck[] {
  if (given === undefined) return []
  const entriesOnce = once(() => membersOf(keyword, given))
  return [
    (run, value, instance, location, seen) =>
      every(run, entriesOnce(), ([key, wanted]) => {
        if (!Object.hasOwn(value, key)) return true
        if (Array.isArray(wanted))
          return every(run, keysIn(keyword, wanted), (other) => {
            if (Object.hasOwn(value, other)) return true
            if (run.isListing)
              run.note(
                keyword,
                `${location}/${at}`,
                instance,
                `Instance has "${key}" but does not have "${other}".`,
              )
            return false
          })
        const mark = run.mark
        if (run.isListing)
          run.note(
            keyword,
            `${location}/${at}`,
            instance,
            `Instance has "${key}" but does not match dependant schema.`,
          )
        const own: Seen | undefined = seen && new Set()
        const isFit = run.fits(wanted, value, instance, `${location}/${at}/${escapeKey(key)}`, own)
        run.addSeen(seen, own)
        if (isFit) run.back(mark)
        return isFit
      }),
  ]
}

/**
 * The keywords that give schemas to keys: `additionalProperties` covers the keys that the other two leave.
 */
function memberChecks(schema: JsonSchema): ObjectCheck[] {
  const { properties, patternProperties, additionalProperties, unevaluatedProperties } = schema
  const checks: Member[] = []
  if (properties !== undefined) checks.push(propertiesCheck(properties))
  if (patternProperties !== undefined) checks.push(patternsCheck(patternProperties))
  if (additionalProperties !== undefined) {
    // Only `properties` need be excluded here, by a direct lookup without a record of the keys seen.
    const isListed = (key: string) => isSchema(properties) && Object.hasOwn(properties, key)
    checks.push(
      restCheck('additional', additionalProperties, (key, { known }) =>
        known === undefined ? isListed(key) : known.has(key),
      ),
    )
  } else if (unevaluatedProperties !== undefined)
    checks.push(restCheck('unevaluated', unevaluatedProperties, (key, { seen }) => seen?.has(key) === true))
  if (checks.length === 0) return []
  return [
    (run, value, instance, location, seen) => {
      const known = patternProperties === undefined ? undefined : new Set<string>()
      const about: Members = { value, instance, location, seen, known }
      return every(run, checks, (check) => check(run, about))
    },
  ]
}

interface Members {
  readonly value: JsonObject
  readonly instance: string
  readonly location: string
  readonly seen: Seen | undefined
  /** Keys that `properties` or `patternProperties` cover; kept only when the schema has the latter. */
  readonly known: Set<string> | undefined
}
type Member = (run: SchemaCheck, about: Members) => boolean

function propertiesCheck(given: unknown): Member {
  const entriesOnce = once(() => membersOf('properties', given))
  return (run, { value, instance, location, seen, known }) =>
    every(run, entriesOnce(), ([key, schema]) => {
      if (!Object.hasOwn(value, key)) return true
      const at = `${location}/properties`
      const mark = run.mark
      if (run.isListing) run.note('properties', at, instance, `Property "${key}" does not match schema.`)
      known?.add(key)
      const isFit = run.fits(
        schema,
        under(value, key),
        inner(run, instance, key),
        run.isListing ? `${at}/${escapeKey(key)}` : '',
      )
      if (!isFit) return false
      run.back(mark)
      seen?.add(key)
      return true
    })
}

function patternsCheck(given: unknown): Member {
  const patternsOnce = once(() =>
    membersOf('patternProperties', given).map(([text, schema]) => ({
      text,
      pattern: new Pattern(text),
      schema,
    })),
  )
  return (run, { value, instance, location, seen, known }) =>
    every(run, patternsOnce(), ({ text, pattern, schema }) =>
      every(run, Object.keys(value), (key) => {
        if (!pattern.test(key, run.work)) return true
        const at = `${location}/patternProperties`
        const mark = run.mark
        if (run.isListing) {
          const error = `Property "${key}" matches pattern "${text}" but does not match associated schema.`
          run.note('patternProperties', at, instance, error)
        }
        known?.add(key)
        const isFit = run.fits(
          schema,
          under(value, key),
          inner(run, instance, key),
          run.isListing ? `${at}/${escapeKey(text)}` : '',
        )
        if (!isFit) return false
        run.back(mark)
        seen?.add(key)
        return true
      }),
    )
}

function restCheck(
  word: 'additional' | 'unevaluated',
  schema: unknown,
  isKnown: (key: string, about: Members) => boolean,
): Member {
  const keyword = `${word}Properties`
  return (run, about) => {
    const { value, instance, location, seen } = about
    return every(run, Object.keys(value), (key) => {
      if (isKnown(key, about)) return true
      const at = `${location}/${keyword}`
      const mark = run.mark
      if (run.isListing)
        run.note(keyword, at, instance, `Property "${key}" does not match ${word} properties schema.`)
      const isFit = run.fits(schema, under(value, key), inner(run, instance, key), at)
      if (!isFit) return false
      run.back(mark)
      seen?.add(key)
      return true
    })
  }
}

/** The value under a key that is known to exist. */
function under(value: JsonObject, key: string): JsonValue {
  return value[key] ?? null
}
