/** From a kind's JSON Schema to the fields of a form, in the schema's order. Pure, so that every shape can be tested. */
import { isObject, propertiesOf, strings } from '#components/canvas/describe'
import type { JsonObject, JsonSchema, JsonValue } from '#lib/spec/json'

interface Common {
  readonly key: string
  readonly label: string
  readonly hint: string
  /** What holds while nothing is set. */
  readonly fallback: JsonValue | undefined
  readonly isRequired: boolean
}

export type Field =
  | (Common & { readonly control: 'text'; readonly maxLength?: number })
  | (Common & { readonly control: 'multiline'; readonly maxLength?: number })
  /** Text of a program. */
  | (Common & { readonly control: 'code' })
  /** The name of a model of the provider chosen. */
  | (Common & { readonly control: 'model' })
  /** The name of an endpoint added in Settings. */
  | (Common & { readonly control: 'endpoint' })
  | (Common & {
      readonly control: 'number'
      readonly unit?: string
      readonly min?: number
      readonly max?: number
      readonly isWhole: boolean
    })
  | (Common & { readonly control: 'switch' })
  | (Common & { readonly control: 'select'; readonly options: readonly string[] })
  /** One of the options, or an object whose one key holds a text: `{"tool": "sql.execute"}`. */
  | (Common & { readonly control: 'either'; readonly options: readonly string[]; readonly holds: string })
  /** Chooses which branch of the schema the others come from. */
  | (Common & { readonly control: 'branch'; readonly options: readonly string[] })
  | (Common & { readonly control: 'globs' })
  | (Common & { readonly control: 'list' })
  | (Common & { readonly control: 'preset' })
  | (Common & { readonly control: 'json' })

/** One choice of one branch is no choice: a branch with a single option is left out. */
export function fieldsOf(schema: JsonSchema, value: JsonObject): Field[] {
  const required = new Set(requiredOf(schema, value))
  const branches = schema.oneOf ?? schema.anyOf ?? []
  return Object.entries(propertiesOf(schema, value)).flatMap(([key, property]): Field[] => {
    const common = commonOf(key, property, required.has(key))
    if (property.const === undefined) return [{ ...common, ...controlOf(property) }]
    const options = branches.flatMap((branch) => strings([branch.properties?.[key]?.const]))
    return options.length > 1 ? [{ ...common, control: 'branch', options }] : []
  })
}

function requiredOf(schema: JsonSchema, value: JsonObject): readonly string[] {
  if (schema.properties !== undefined) return schema.required ?? []
  const chosen = propertiesOf(schema, value)
  return (schema.oneOf ?? schema.anyOf ?? []).find((branch) => branch.properties === chosen)?.required ?? []
}

function commonOf(
  key: string,
  { title, description, default: fallback }: JsonSchema,
  isRequired: boolean,
): Common {
  return { key, label: title ?? titled(key), hint: description ?? '', fallback, isRequired }
}

/** A key that names itself: `provider` → `Provider`. */
export function titled(key: string): string {
  return key.slice(0, 1).toUpperCase() + key.slice(1)
}

type Control = Field extends infer F ? (F extends Field ? Omit<F, keyof Common> : never) : never

function controlOf(schema: JsonSchema): Control {
  const options = optionsOf(schema)
  if (options !== undefined) return { control: 'select', options }
  const either = eitherOf(schema)
  if (either !== undefined) return { control: 'either', ...either }
  if (schema.format === 'preset') return { control: 'preset' }
  if (schema.format === 'globs') return { control: 'globs' }
  switch (schema.type) {
    case 'boolean':
      return { control: 'switch' }
    case 'integer':
    case 'number':
      return { control: 'number', isWhole: schema.type === 'integer', ...boundsOf(schema) }
    case 'string':
      return {
        control: textControl(schema.format),
        ...(numberOf(schema.maxLength) === undefined ? {} : { maxLength: numberOf(schema.maxLength) }),
      }
    case 'array':
      return schema.items?.type === 'string' && schema.items.enum === undefined
        ? { control: 'list' }
        : { control: 'json' }
    default:
      return { control: 'json' }
  }
}

const textControls = ['multiline', 'code', 'model', 'endpoint'] as const

function textControl(format: unknown): (typeof textControls)[number] | 'text' {
  return textControls.find((each) => each === format) ?? 'text'
}

/** A union of words and of one object that holds one text. */
function eitherOf({ anyOf, oneOf }: JsonSchema): { options: readonly string[]; holds: string } | undefined {
  const branches = anyOf ?? oneOf ?? []
  if (branches.length !== 2) return undefined
  const words = branches.map(optionsOf).find((each) => each !== undefined)
  const object = branches.find((each) => each.properties !== undefined)
  const [holds, ...more] = Object.entries(object?.properties ?? {})
  if (words === undefined || holds === undefined || more.length > 0 || holds[1].type !== 'string')
    return undefined
  return { options: words, holds: holds[0] }
}

function optionsOf(schema: JsonSchema): string[] | undefined {
  if (schema.enum === undefined) return undefined
  const options = strings(schema.enum)
  return options.length === schema.enum.length ? options : undefined
}

function boundsOf(schema: JsonSchema): { unit?: string; min?: number; max?: number } {
  const min = numberOf(schema.minimum) ?? numberOf(schema.exclusiveMinimum)
  const max = numberOf(schema.maximum) ?? numberOf(schema.exclusiveMaximum)
  return {
    ...(schema.unit === undefined ? {} : { unit: schema.unit }),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
  }
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** Words for a value of an enum: `return_partial` → "return partial". */
export function optionLabel(value: string): string {
  return value.replaceAll('_', ' ')
}

/** What a person typed as JSON, or in one sentence why it is none. */
export function readJson(
  text: string,
): { ok: true; value: JsonValue | undefined } | { ok: false; reason: string } {
  if (text.trim() === '') return { ok: true, value: undefined }
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? `Not JSON yet: ${error.message}` : 'Not JSON yet' }
  }
}

/** The message of the finding that is about this key of a node, or of something within it. */
export function findingOf(
  findings: readonly { readonly path?: string; readonly message: string }[],
  key: string,
  entry: string | undefined,
): string | undefined {
  return findings.find(({ path }) => {
    if (path === undefined) return false
    const rest = entry !== undefined && path.startsWith(`${entry}/`) ? path.slice(entry.length + 1) : path
    return rest === key || rest.startsWith(`${key}/`)
  })?.message
}

/** The preset of one tool with one argument set or, by undefined, taken away; empty tools go with their last argument. */
export function withPreset(
  preset: JsonValue | undefined,
  tool: string,
  key: string,
  value: JsonValue | undefined,
): JsonObject | undefined {
  const all = isObject(preset) ? { ...preset } : {}
  const { [key]: _old, ...rest } = isObject(all[tool]) ? all[tool] : {}
  const next = value === undefined ? rest : { ...rest, [key]: value }
  if (Object.keys(next).length > 0) all[tool] = next
  else delete all[tool]
  return Object.keys(all).length > 0 ? all : undefined
}
