/** Keywords about lists: their length, their items, and whether items repeat. */
import type { JsonSchema, JsonValue } from '#lib/spec/json'
import { canonicalKey } from './canonical'
import type { Check, SchemaCheck, Seen } from './run'
import { Unchecked } from './work'

export function arrayChecks(schema: JsonSchema): Check[] {
  const checks = [
    ...lengthChecks(schema),
    ...itemChecks(schema),
    ...containsChecks(schema),
    ...unevaluatedChecks(schema),
    ...uniqueChecks(schema),
  ]
  return checks.map(
    (check): Check =>
      (run, value, instance, location, seen) =>
        !Array.isArray(value) || check(run, value, instance, location, seen),
  )
}

type ListCheck = (
  run: SchemaCheck,
  value: readonly JsonValue[],
  instance: string,
  location: string,
  seen: Seen | undefined,
) => boolean

function lengthChecks({ minItems, maxItems }: JsonSchema): ListCheck[] {
  if (minItems === undefined && maxItems === undefined) return []
  return [
    (run, { length }, instance, location) => {
      const isLong = maxItems !== undefined && length > Number(maxItems)
      const isShort = minItems !== undefined && length < Number(minItems)
      if (isLong && run.isListing)
        run.note(
          'maxItems',
          `${location}/maxItems`,
          instance,
          `Array has too many items (${length} > ${maxItems}).`,
        )
      if (isShort && run.isListing)
        run.note(
          'minItems',
          `${location}/minItems`,
          instance,
          `Array has too few items (${length} < ${minItems}).`,
        )
      return !isLong && !isShort
    },
  ]
}

/** `items` as a list and `additionalItems` come from older drafts that are still in use. */
function itemChecks({ prefixItems, items, additionalItems }: Record<string, unknown>): ListCheck[] {
  if (prefixItems === undefined && items === undefined) return []
  const stages: Stage[] = []
  if (prefixItems !== undefined) stages.push(stage('prefixItems', prefixItems, itemsFit))
  if (items !== undefined) stages.push(stage('items', items, itemsFit))
  if (Array.isArray(items) && additionalItems !== undefined)
    stages.push(stage('additionalItems', additionalItems, 'Items did not match additional items schema.'))
  return [
    (run, value, instance, location, seen) => {
      let isFit = true
      let from = 0
      for (const { keyword, error, schemaAt, end } of stages) {
        const to = end(value.length)
        for (; from < to; from++) {
          seen?.add(from)
          const mark = run.mark
          if (run.isListing) run.note(keyword, `${location}/${keyword}`, instance, error)
          const { schema, step } = schemaAt(from)
          const at = run.isListing ? `${location}/${keyword}${step}` : ''
          if (run.fits(schema, value[from] ?? null, run.isListing ? `${instance}/${from}` : '', at))
            run.back(mark)
          else {
            isFit = false
            if (!run.isListing) return false
          }
        }
      }
      return isFit
    },
  ]
}

const itemsFit = 'Items did not match schema.'

/** One keyword that checks the items after those of the keyword before it. */
interface Stage {
  readonly keyword: string
  readonly error: string
  schemaAt(index: number): { readonly schema: unknown; readonly step: string }
  end(length: number): number
}

function stage(keyword: string, given: unknown, error: string): Stage {
  if (!Array.isArray(given)) {
    if (keyword === 'prefixItems') throw new Unchecked('its “prefixItems” is not a list')
    const all = { schema: given, step: '' }
    return { keyword, error, schemaAt: () => all, end: (length) => length }
  }
  return {
    keyword,
    error,
    schemaAt: (index) => ({ schema: given[index], step: `/${index}` }),
    end: (length) => Math.min(given.length, length),
  }
}

function containsChecks({ contains, minContains, maxContains }: JsonSchema): ListCheck[] {
  if (contains === undefined) return []
  return [
    (run, value, instance, location, seen) => {
      const { length } = value
      const at = (keyword: string) => `${location}/${keyword}`
      if (length === 0 && minContains === undefined) {
        const error = 'Array is empty. It must contain at least one item matching the schema.'
        if (run.isListing) run.note('contains', at('contains'), instance, error)
        return false
      }
      if (minContains !== undefined && length < Number(minContains)) {
        const error = `Array has less items (${length}) than minContains (${minContains}).`
        if (run.isListing) run.note('minContains', at('minContains'), instance, error)
        return false
      }
      const mark = run.mark
      let count = 0
      for (const [index, each] of value.entries()) {
        const place = run.isListing ? `${instance}/${index}` : ''
        if (!run.fits(contains, each, place, run.isListing ? at('contains') : '')) continue
        count++
        seen?.add(index)
      }
      const least = minContains === undefined ? 1 : Number(minContains)
      // Findings of single items matter only when a number of matching items was required.
      if (minContains === undefined || count >= least) run.back(mark)
      const isFew = count < least
      if (isFew && minContains === undefined && run.isListing)
        run.note('contains', at('contains'), instance, 'Array does not contain item matching schema.')
      if (isFew && minContains !== undefined && run.isListing) {
        const error = `Array must contain at least ${minContains} items matching schema. Only ${count} items were found.`
        run.note('minContains', at('minContains'), instance, error)
      }
      const isMany = !isFew && maxContains !== undefined && count > Number(maxContains)
      if (isMany && run.isListing) {
        const error = `Array may contain at most ${maxContains} items matching schema. ${count} items were found.`
        run.note('maxContains', at('maxContains'), instance, error)
      }
      return !isFew && !isMany
    },
  ]
}

function unevaluatedChecks({ unevaluatedItems }: JsonSchema): ListCheck[] {
  if (unevaluatedItems === undefined) return []
  return [
    (run, value, instance, location, seen) => {
      let isFit = true
      const at = `${location}/unevaluatedItems`
      for (const [index, each] of value.entries()) {
        if (seen?.has(index)) continue
        seen?.add(index)
        const mark = run.mark
        if (run.isListing)
          run.note('unevaluatedItems', at, instance, 'Items did not match unevaluated items schema.')
        if (run.fits(unevaluatedItems, each, run.isListing ? `${instance}/${index}` : '', at)) run.back(mark)
        else {
          isFit = false
          if (!run.isListing) return false
        }
      }
      return isFit
    },
  ]
}

function uniqueChecks({ uniqueItems }: JsonSchema): ListCheck[] {
  if (!uniqueItems) return []
  return [
    (run, value, instance, location) => {
      const first = new Map<string, number>()
      let found: [number, number] | undefined
      for (const [index, each] of value.entries()) {
        const key = canonicalKey(each, run.work)
        const earlier = first.get(key)
        if (earlier === undefined) first.set(key, index)
        // Of several pairs, the one that begins earliest is reported.
        else if (found === undefined || earlier < found[0]) found = [earlier, index]
        if (found !== undefined && !run.isListing) return false
      }
      if (found === undefined) return true
      run.note(
        'uniqueItems',
        `${location}/uniqueItems`,
        instance,
        `Duplicate items at indexes ${found[0]} and ${found[1]}.`,
      )
      return false
    },
  ]
}
