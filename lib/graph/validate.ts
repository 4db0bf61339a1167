/** Checks a node's config against its schema, without generated code, and describes each problem plainly. */
import { checkValue, type SchemaFinding } from '#lib/schema/check'
import { schemaAt, stepsOf } from '#lib/schema/read'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '#lib/spec/json'
import { formOf } from './form'

/** `path` is relative to the config: `''`, `max`, `tools/0`. `message` is a sentence without the node's name. */
export interface Problem {
  readonly path: string
  readonly message: string
}

/** The schema of one union option, together with the definitions it refers to. */
const forms = new WeakMap<JsonSchema, JsonSchema>()

/** Keywords that only report that something inside them does not fit. */
const carriers = new Set([
  'properties',
  'additionalProperties',
  'patternProperties',
  'propertyNames',
  'items',
  'prefixItems',
  'allOf',
  '$ref',
])
const unions = new Set(['oneOf', 'anyOf', 'not'])

/** Every problem of a config, in the schema's order; empty when it fits. */
export function problemsOf(config: JsonObject, schema: JsonSchema): Problem[] {
  const option = formOf(schema, schema, config)
  if (option === undefined) return [choiceProblem(config, schema)]
  const form = formFor(option, schema)
  const checked = checkValue(form, config)
  if (checked.verdict === 'fits') return []
  if (checked.verdict === 'unchecked')
    return [{ path: '', message: `The settings cannot be checked against their schema: ${checked.why}.` }]
  const problems = new Map<string, Problem>()
  let last: SchemaFinding | undefined
  for (const unit of leaves(checked.findings)) {
    // One `required` finding for an object is enough: it names every missing key.
    if (unit.keyword === 'required' && isSamePlace(unit, last)) continue
    last = unit
    for (const problem of problemsAt(unit, form, config)) {
      if (!problems.has(problem.path)) problems.set(problem.path, problem)
    }
  }
  return [...problems.values()]
}

function isSamePlace(unit: SchemaFinding, last: SchemaFinding | undefined): boolean {
  return unit.keywordLocation === last?.keywordLocation && unit.instanceLocation === last.instanceLocation
}

function formFor(option: JsonSchema, root: JsonSchema): JsonSchema {
  if (option === root || root.$defs === undefined) return option
  const known = forms.get(option)
  if (known !== undefined) return known
  const form: JsonSchema = { ...option, $defs: root.$defs }
  forms.set(option, form)
  return form
}

/** The problem of a config that chooses no option of a union by its key (`provider`). */
function choiceProblem(config: JsonObject, schema: JsonSchema): Problem {
  const options = schema.oneOf ?? schema.anyOf ?? []
  const key = Object.entries(options[0]?.properties ?? {}).find(([, each]) => each.const !== undefined)?.[0]
  if (key === undefined) return { path: '', message: 'The settings have none of the forms allowed.' }
  const values = options.map((each) => each.properties?.[key]?.const)
  const verb = config[key] === undefined ? 'is missing; it is' : 'must be'
  return {
    path: key,
    message: `${nameOfPlace([key], options[0]?.properties?.[key])} ${verb} one of ${listValues(values)}.`,
  }
}

function leaves(findings: readonly SchemaFinding[]): SchemaFinding[] {
  const covers = new Set(
    findings.filter(({ keyword }) => unions.has(keyword)).map((each) => each.keywordLocation),
  )
  return findings.filter(
    ({ keyword, keywordLocation }) => !carriers.has(keyword) && !isBelow(covers, keywordLocation),
  )
}

/** Whether the location is inside one of these places. */
function isBelow(places: ReadonlySet<string>, location: string): boolean {
  if (places.size === 0) return false
  for (let end = location.lastIndexOf('/'); end > 0; end = location.lastIndexOf('/', end - 1))
    if (places.has(location.slice(0, end))) return true
  return false
}

function problemsAt(unit: SchemaFinding, schema: JsonSchema, config: JsonObject): Problem[] {
  const steps = stepsOf(unit.instanceLocation)
  const path = steps.join('/')
  if (unit.keyword === 'false')
    return [{ path, message: `${nameOfPlace(steps, undefined)} is not a setting here. Remove it.` }]
  const form = schemaAt(schema, unit.keywordLocation.slice(0, unit.keywordLocation.lastIndexOf('/')))
  if (unit.keyword === 'required') return missing(steps, form, valueAt(config, steps))
  return [{ path, message: `${nameOfPlace(steps, form)} ${demand(unit, form)}.` }]
}

function missing(
  steps: readonly string[],
  form: JsonSchema | undefined,
  value: JsonValue | undefined,
): Problem[] {
  const absent = (form?.required ?? []).filter((key) => !isObject(value) || value[key] === undefined)
  return absent.map((key) => {
    const all = [...steps, key]
    return {
      path: all.join('/'),
      message: `${nameOfPlace(all, form?.properties?.[key])} is missing. Fill it in.`,
    }
  })
}

function demand(unit: SchemaFinding, form: JsonSchema | undefined): string {
  const bound = form?.[unit.keyword]
  const item = typeof form?.unit === 'string' ? ` ${form.unit}` : ''
  switch (unit.keyword) {
    case 'type':
      return `must be ${typeWords(form?.type)}`
    case 'enum':
      return `must be one of ${listValues(form?.enum ?? [])}`
    case 'const':
      return `must be ${listValues([form?.const])}`
    case 'minimum':
      return `must be at least ${bound}${item}`
    case 'maximum':
      return `must be at most ${bound}${item}`
    case 'exclusiveMinimum':
      return `must be more than ${bound}${item}`
    case 'exclusiveMaximum':
      return `must be less than ${bound}${item}`
    case 'multipleOf':
      return `must be a multiple of ${bound}`
    case 'minLength':
      return bound === 1 ? 'must not be empty' : `must have at least ${bound} characters`
    case 'maxLength':
      return `must have at most ${bound} characters`
    case 'minItems':
      return bound === 1 ? 'must not be empty' : `must have at least ${bound} items`
    case 'maxItems':
      return `must have at most ${bound} items`
    case 'pattern':
      return typeof form?.form === 'string' ? `must be ${form.form}` : `must fit the pattern ${bound}`
    case 'format':
      return `must have the form of a ${bound}`
    default:
      // The remaining keywords only combine other schemas.
      return 'has none of the forms allowed'
  }
}

function nameOfPlace(steps: readonly string[], form: JsonSchema | undefined): string {
  if (steps.length === 0) return 'The config'
  return steps.length === 1 && form?.title !== undefined ? form.title : `“${steps.join('/')}”`
}

function typeWords(type: string | string[] | undefined): string {
  const words: Record<string, string> = {
    string: 'text',
    number: 'a number',
    integer: 'a whole number',
    boolean: 'yes or no',
    array: 'a list',
    object: 'an object',
    null: 'null',
  }
  const types = typeof type === 'string' ? [type] : (type ?? [])
  return types.map((each) => words[each] ?? each).join(' or ')
}

function listValues(values: readonly unknown[]): string {
  return values.map((each) => JSON.stringify(each)).join(', ')
}

function valueAt(value: JsonValue, steps: readonly string[]): JsonValue | undefined {
  let at: JsonValue | undefined = value
  for (const step of steps) {
    if (Array.isArray(at)) at = at[Number(step)]
    else at = isObject(at) ? at[step] : undefined
  }
  return at
}
