/** The keywords of JSON Schema in the order in which they are checked, and those that combine schemas. */
import type { JsonSchema } from '#lib/spec/json'
import { arrayChecks } from './keywords-array'
import { objectChecks } from './keywords-object'
import { scalarChecks, valueChecks } from './keywords-value'
import type { Check, Ready, Seen } from './run'
import { Unchecked } from './work'

/** Missing and unknown keywords give no check. */
export function makeReady(schema: JsonSchema): Ready {
  const checks = [
    ...referenceChecks(schema),
    ...valueChecks(schema),
    ...choiceChecks(schema),
    ...conditionChecks(schema),
    ...objectChecks(schema),
    ...arrayChecks(schema),
    ...scalarChecks(schema),
  ]
  return {
    checks,
    isTracking: schema.unevaluatedProperties !== undefined || schema.unevaluatedItems !== undefined,
  }
}

function referenceChecks(schema: JsonSchema): Check[] {
  const references: [string, unknown][] = [
    ['$recursiveRef', schema.$recursiveRef],
    ['$ref', schema.$ref],
  ]
  return references
    .filter(([, reference]) => reference !== undefined)
    .map(
      ([keyword, reference]): Check =>
        (run, value, instance, location, seen) => {
          const target = run.document.references.target(schema, reference)
          const at = `${location}/${keyword}`
          const mark = run.mark
          if (run.isListing) run.note(keyword, at, instance, 'A subschema had errors.')
          const inner: Seen | undefined = seen && new Set()
          const isFit = run.fits(target, value, instance, at, inner)
          run.addSeen(seen, inner)
          if (isFit) run.back(mark)
          return isFit
        },
    )
}

/** The list of schemas of a keyword. */
function schemasIn(keyword: string, value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Unchecked(`its “${keyword}” is not a list`)
  return value
}

function choiceChecks({ not, anyOf, allOf, oneOf }: JsonSchema): Check[] {
  const checks: Check[] = []
  if (not !== undefined) {
    checks.push((run, value, instance, location) => {
      if (!run.fitsQuietly(not, value)) return true
      if (run.isListing) run.note('not', `${location}/not`, instance, 'Instance matched "not" schema.')
      return false
    })
  }
  if (anyOf !== undefined)
    checks.push(
      choice(
        'anyOf',
        anyOf,
        (fitting) => fitting > 0,
        () => 'Instance does not match any subschemas.',
      ),
    )
  if (allOf !== undefined)
    checks.push(
      choice(
        'allOf',
        allOf,
        (fitting, all) => fitting === all,
        () => 'Instance does not match every subschema.',
      ),
    )
  if (oneOf !== undefined)
    checks.push(
      choice(
        'oneOf',
        oneOf,
        (fitting) => fitting === 1,
        (fitting) => `Instance does not match exactly one subschema (${fitting} matches).`,
      ),
    )
  return checks
}

/** Every schema of the list is checked, so that each can report which parts of the value it covers. */
function choice(
  keyword: string,
  given: unknown,
  isEnough: (fitting: number, all: number) => boolean,
  saying: (fitting: number) => string,
): Check {
  return (run, value, instance, location, seen) => {
    const schemas = schemasIn(keyword, given)
    const at = `${location}/${keyword}`
    const mark = run.mark
    let fitting = 0
    // The message may need the count, so the finding is added first and its message once the count is known.
    const noted = run.isListing ? run.noteBefore(keyword, at, instance) : undefined
    for (const [index, schema] of schemas.entries()) {
      const inner: Seen | undefined = seen && new Set()
      if (!run.fits(schema, value, instance, run.isListing ? `${at}/${index}` : '', inner)) continue
      fitting++
      run.addSeen(seen, inner)
    }
    const isFit = isEnough(fitting, schemas.length)
    if (isFit) run.back(mark)
    else if (noted !== undefined) noted.error = saying(fitting)
    return isFit
  }
}

function conditionChecks(schema: JsonSchema): Check[] {
  const { if: condition } = schema
  if (condition === undefined) return []
  return [
    (run, value, instance, location, seen) => {
      const known: Seen | undefined = seen && new Set()
      const holds = run.fitsQuietly(condition, value, known)
      if (holds) run.addSeen(seen, known)
      const branch = holds ? 'then' : 'else'
      const consequence = schema[branch]
      if (consequence === undefined) return true
      const mark = run.mark
      if (run.isListing)
        run.note('if', `${location}/if`, instance, `Instance does not match "${branch}" schema.`)
      const inner: Seen | undefined = seen && new Set()
      const isFit = run.fits(consequence, value, instance, `${location}/${branch}`, inner)
      run.addSeen(seen, inner)
      if (isFit) run.back(mark)
      return isFit
    },
  ]
}
