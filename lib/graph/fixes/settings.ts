/** Fixes of single settings: each is tested on the node's own config, and offered only if it helps. */
import { withoutUnusablePatterns } from '#lib/schema/patterns'
import type { GraphNode } from '#lib/spec/graph'
import { isObject, isParameters, type JsonObject, type JsonSchema, type JsonValue } from '#lib/spec/json'
import type { NodeKind } from '#lib/spec/kind'
import { slugOf } from '#lib/spec/slug'
import { formOf } from '../form'
import { problemsOf } from '../validate'
import { type FixableFinding, valueAt, withValue } from './finding'
import type { Fix } from './fix'
import { demoModel, switching } from './nodes'
import { setting, valueText } from './patterns'

interface Offer {
  readonly label: string
  readonly steps: readonly string[]
  readonly value: JsonValue | undefined
}

const mostOffers = 2

export function settingFixes(finding: FixableFinding): Fix[] {
  const { node, kind, steps } = finding
  if (node === undefined || kind === undefined) return []
  const found = mendsOf(node, kind, steps)
  const fixes = found.flatMap(({ label, steps: at, value }) => setting(finding, at, { label, value }))
  if (kind.out === 'model') return [...fixes, ...demo(finding)].slice(0, mostOffers)
  if (fixes.length > 0 || kind.place.at === 'root') return fixes
  // A part is switched off as a whole, so the first of its settings that nothing else mends offers it, and no other.
  const first = problemsOf(node.config, kind.schema).find(
    ({ path }) => mendsOf(node, kind, path === '' ? [] : path.split('/')).length === 0,
  )
  return first === undefined || first.path === steps.join('/') ? [switching(node.id, true)] : []
}

/** The values that mend the setting, each under a label of its own. */
function mendsOf(node: GraphNode, kind: NodeKind, steps: readonly string[]): Offer[] {
  const before = problemsOf(node.config, kind.schema)
  const path = steps.join('/')
  const mends = (offer: Offer) => {
    const after = problemsOf(withValue(node.config, offer.steps, offer.value), kind.schema)
    return after.length < before.length && after.every((each) => each.path !== path)
  }
  const offers = new Map<string, Offer>()
  for (const each of offersFor(node, kind, steps).filter(mends))
    if (!offers.has(each.label)) offers.set(each.label, each)
  return [...offers.values()].slice(0, mostOffers)
}

function demo(finding: FixableFinding): Fix[] {
  return setting(finding, [], { label: 'Use the scripted demo model', value: demoModel })
}

function offersFor(
  { config }: GraphNode,
  { schema: root, initial, place }: NodeKind,
  steps: readonly string[],
): Offer[] {
  const form = schemaAt(root, config, steps)
  const value = valueAt(config, steps)
  const key = steps.at(-1) ?? ''
  const fresh = valueAt(initial as JsonObject | undefined, steps) // cast: a new node's settings are plain JSON
  const given = fresh === undefined && place.at === 'root' && key === 'name' ? 'new-agent' : fresh
  return [
    ...bounds(form, value).map((bound) => ({ label: `Set to ${valueText(bound)}`, steps, value: bound })),
    ...slugs(form, value).map((slug) => ({ label: `Change to “${slug}”`, steps, value: slug })),
    ...(form?.default === undefined
      ? []
      : [{ label: `Back to ${valueText(form.default)}`, steps, value: undefined }]),
    ...(given === undefined || value !== undefined
      ? []
      : [{ label: `Set to ${valueText(given)}`, steps, value: given }]),
    ...(value === undefined || form?.default !== undefined
      ? []
      : [{ label: taking(form, key), steps, value: undefined }]),
    ...choices(form).map((choice) => ({ label: `Set to ${valueText(choice)}`, steps, value: choice })),
  ].filter((each) => each.value !== undefined || steps.length > 0)
}

function taking(form: JsonSchema | undefined, key: string): string {
  return form === undefined ? `Remove “${key}”` : `Clear “${form.title ?? key}”`
}

function bounds(form: JsonSchema | undefined, value: JsonValue | undefined): number[] {
  if (typeof value !== 'number' || form === undefined) return []
  const { minimum, maximum } = form
  const inside = Math.min(
    typeof maximum === 'number' ? maximum : Number.POSITIVE_INFINITY,
    Math.max(typeof minimum === 'number' ? minimum : Number.NEGATIVE_INFINITY, value),
  )
  const isWhole = form.type === 'integer' && !Number.isInteger(inside)
  return inside === value && !isWhole ? [] : [isWhole ? Math.round(inside) : inside]
}

/** The name in allowed letters, where those are lower-case letters, digits and hyphens. */
function slugs(form: JsonSchema | undefined, value: JsonValue | undefined): string[] {
  if (typeof value !== 'string' || form?.pattern === undefined) return []
  const slug = slugOf(value)
  return slug === '' ? [] : [slug]
}

function choices(form: JsonSchema | undefined): JsonValue[] {
  const only = form?.enum ?? []
  return only.length === 1 && only[0] !== undefined ? [only[0] as JsonValue] : [] // cast: an enum of a JSON Schema holds JSON
}

function schemaAt(root: JsonSchema, config: JsonValue, steps: readonly string[]): JsonSchema | undefined {
  let schema = formOf(root, root, config)
  let value: JsonValue | undefined = config
  for (const step of steps) {
    const inner: JsonSchema | undefined = Array.isArray(value)
      ? typeof schema?.items === 'object'
        ? schema.items
        : undefined
      : (schema?.properties?.[step] ?? restOf(schema))
    value = Array.isArray(value) ? value[Number(step)] : isObject(value) ? value[step] : undefined
    schema = inner && (value === undefined ? inner : (formOf(inner, root, value) ?? inner))
  }
  return schema
}

function restOf(schema: JsonSchema | undefined): JsonSchema | undefined {
  const rest = schema?.additionalProperties
  return typeof rest === 'object' ? rest : undefined
}

/** Removes a pattern that cannot be read, or resets a schema that is not of an object to its default. */
export function parametersFixes(finding: FixableFinding): Fix[] {
  const { node, kind, steps } = finding
  const [key] = steps
  const schema = node && key !== undefined ? node.config[key] : undefined
  if (key === undefined || kind === undefined || !isObject(schema)) return []
  if (isParameters(schema)) return schemaFixes(finding)
  if (kind.schema.properties?.[key]?.default === undefined) return []
  return setting(finding, [key], { label: 'Take no arguments', value: undefined })
}

export function schemaFixes(finding: FixableFinding): Fix[] {
  const [key] = finding.steps
  const schema = key === undefined ? undefined : finding.node?.config[key]
  if (key === undefined || !isObject(schema)) return []
  return setting(finding, [key], { label: 'Remove the pattern', value: withoutUnusablePatterns(schema) })
}
