/**
 * Converts a kind's JSON Schema to the fields of a form, in the schema's order. Pure, so that every shape can
 * be tested.
 */
import { propertiesOf, strings } from '#components/drawing/describe'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '#lib/spec/json'

interface Common {
  readonly key: string
  readonly label: string
  readonly hint: string
  /** The value that applies when nothing is set. */
  readonly fallback: JsonValue | undefined
  readonly isRequired: boolean
}

export type Field =
  | (Common & { readonly control: 'text'; readonly maxLength?: number })
  /** Text of many lines, such as a prompt. */
  | (Common & { readonly control: 'multiline'; readonly maxLength?: number; readonly minLines?: number })
  /** Program code. */
  | (Common & {
      readonly control: 'code'
      readonly language: 'javascript' | 'python'
      readonly maxLength?: number
    })
  /** The name of a model of the chosen provider. */
  | (Common & { readonly control: 'model' })
  /** The name of an endpoint added in Settings. */
  | (Common & { readonly control: 'endpoint' })
  /** The name of an MCP server of Settings. */
  | (Common & { readonly control: 'mcp-server' })
  /** The name of a skill of Settings. */
  | (Common & { readonly control: 'skill' })
  /** The version of the skill that the agent uses. */
  | (Common & { readonly control: 'skill-hash' })
  /** The name of another agent, and the version of it that is called. */
  | (Common & { readonly control: 'agent' })
  | (Common & { readonly control: 'agent-version' })
  /** Names of collections of Settings. */
  | (Common & { readonly control: 'collections' })
  /** Names and patterns of the tools of the entry’s MCP server. */
  | (Common & { readonly control: 'mcp-tools' })
  | (Common & {
      readonly control: 'number'
      readonly unit?: string
      readonly min?: number
      readonly max?: number
      readonly isWhole: boolean
      /** How much an arrow key adds or subtracts. */
      readonly step: number
    })
  | (Common & { readonly control: 'switch' })
  | (Common & { readonly control: 'select'; readonly options: readonly string[] })
  /** One of the options, or an object whose one key holds a text: `{"tool": "sql.execute"}`. */
  | (Common & { readonly control: 'either'; readonly options: readonly string[]; readonly holds: string })
  /** Chooses the branch of the schema that provides the other fields. */
  | (Common & {
      readonly control: 'branch'
      readonly options: readonly string[]
      /** The title of each branch that has one, by option. */
      readonly words: ReadonlyMap<string, string>
    })
  | (Common & { readonly control: 'globs' })
  | (Common & { readonly control: 'list' })
  /** Any number of a few words. */
  | (Common & { readonly control: 'choices'; readonly options: readonly string[] })
  | (Common & { readonly control: 'preset' })
  /** A text, number or switch for each tool of the entry. */
  | (Common & { readonly control: 'per-tool'; readonly values: JsonSchema; readonly unset: string })
  /** `{"secret": "WEATHER_KEY"}`, or a plain text where the schema allows one. */
  | (Common & { readonly control: 'secret'; readonly orText: boolean })
  /** The parameters of a tool, as a JSON Schema. */
  | (Common & { readonly control: 'parameters' })
  /** A text or a secret of a request, or a parameter where there are any. */
  | (Common & { readonly control: 'http-value'; readonly canBeParameter: boolean })
  /** The body of a request. */
  | (Common & { readonly control: 'http-body' })
  /** An OpenAPI document of Settings, by its name and hash. */
  | (Common & { readonly control: 'openapi-document' })
  /** The address that the operations of an API have in common. */
  | (Common & { readonly control: 'openapi-address' })
  /** Operations of an OpenAPI document. */
  | (Common & { readonly control: 'openapi-operations' })
  /** Secrets for the ways in which requests of an API are signed. */
  | (Common & { readonly control: 'openapi-auth' })
  /** A model by provider, endpoint and name; unset, another one applies. */
  | (Common & { readonly control: 'model-choice' })
  /** An object with known keys. */
  | (Common & { readonly control: 'object'; readonly schema: JsonSchema })
  /** A list of objects that share a schema. */
  | (Common & { readonly control: 'items'; readonly schema: JsonSchema; readonly most?: number })
  /** Keys that a person names, with values that share a schema. */
  | (Common & { readonly control: 'map'; readonly schema: JsonSchema })
  | (Common & { readonly control: 'json' })

/** Code in an object that names its language is written in that. */
function withLanguage(control: Control, schema: JsonSchema, value: JsonObject): Control {
  const named = propertiesOf(schema, value).language
  if (control.control !== 'code' || named === undefined) return control
  return { ...control, language: (value.language ?? named.default) === 'python' ? 'python' : 'javascript' }
}

/** A branch with a single option is left out, because there is nothing to choose. */
export function fieldsOf(schema: JsonSchema, value: JsonObject): Field[] {
  const required = new Set(requiredOf(schema, value))
  const branches = schema.oneOf ?? schema.anyOf ?? []
  return Object.entries(propertiesOf(schema, value)).flatMap(([key, property]): Field[] => {
    const common = commonOf(key, property, required.has(key))
    if (property.const === undefined)
      return [{ ...common, ...withLanguage(controlOf(property), schema, value) }]
    const named = branches.flatMap(({ properties, title }) =>
      strings([properties?.[key]?.const]).map((option) => [option, title ?? optionLabel(option)] as const),
    )
    const options = named.map(([option]) => option)
    return options.length > 1 ? [{ ...common, control: 'branch', options, words: new Map(named) }] : []
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
  return { key, label: title ?? titleOfKey(key), hint: description ?? '', fallback, isRequired }
}

/** The label of a key that has no title: `provider` → `Provider`. */
export function titleOfKey(key: string): string {
  return key.slice(0, 1).toUpperCase() + key.slice(1)
}

type Control = Field extends infer F ? (F extends Field ? Omit<F, keyof Common> : never) : never

function controlOf(schema: JsonSchema): Control {
  const options = optionsOf(schema)
  if (options !== undefined) return { control: 'select', options }
  if (schema.format === 'http-value')
    return { control: 'http-value', canBeParameter: (schema.anyOf ?? []).some(isParameter) }
  const own = ownControls.find((each) => each === schema.format)
  if (own !== undefined) return { control: own }
  const secret = secretOf(schema)
  if (secret !== undefined) return { control: 'secret', orText: secret === 'or text' }
  const either = eitherOf(schema)
  if (either !== undefined) return { control: 'either', ...either }
  if (schema.format === 'preset') return { control: 'preset' }
  if (schema.format === 'per-tool') return perToolControl(schema)
  if (schema.format === 'model-choice' || schema.format === 'agent-version') return { control: schema.format }
  if (schema.format === 'collections') return { control: 'collections' }
  if (schema.format === 'globs' || schema.format === 'mcp-tools') return { control: schema.format }
  switch (schema.type) {
    case 'boolean':
      return { control: 'switch' }
    case 'integer':
    case 'number':
      return numberControl(schema)
    case 'string':
      return textControl(schema)
    case 'array':
      return arrayControl(schema)
    case 'object':
      return objectControl(schema)
    default:
      // A schema of several types, or of none, may hold anything.
      return { control: 'json' }
  }
}

/** Controls that a format chooses, whatever the type of the value. */
const ownControls = [
  'parameters',
  'http-body',
  'openapi-document',
  'openapi-address',
  'openapi-operations',
  'openapi-auth',
] as const

function perToolControl({
  additionalProperties: values,
  multiline,
  unset = 'as it is',
}: JsonSchema): Control {
  const schema = typeof values === 'object' ? values : {}
  const shown = multiline === true ? { ...schema, format: 'multiline' } : schema
  return { control: 'per-tool', values: shown, unset }
}

function numberControl(schema: JsonSchema): Control {
  const isWhole = schema.type === 'integer'
  const bounds = boundsOf(schema)
  const isSmall = !isWhole && bounds.max !== undefined && bounds.max <= 2
  const step = isWhole ? 1 : isSmall || bounds.unit === '$' ? 0.1 : 1
  return { control: 'number', isWhole, step, ...bounds }
}

function arrayControl({ items, maxItems }: JsonSchema): Control {
  const most = numberOf(maxItems)
  if (items?.type === 'object' && hasKnownKeys(items))
    return { control: 'items', schema: items, ...(most === undefined ? {} : { most }) }
  if (items?.type !== 'string') return { control: 'json' }
  const options = optionsOf(items)
  return options === undefined ? { control: 'list' } : { control: 'choices', options }
}

function objectControl(schema: JsonSchema): Control {
  if (hasKnownKeys(schema)) return { control: 'object', schema }
  const { additionalProperties: values, format } = schema
  const isMap = format === undefined && typeof values === 'object' && Object.keys(values).length > 0
  if (!isMap || controlOf(values).control === 'json') return { control: 'json' }
  return { control: 'map', schema: values }
}

/** An object that also allows other keys is edited as JSON; otherwise those keys would be hidden. */
function hasKnownKeys({ properties, additionalProperties }: JsonSchema): boolean {
  return Object.keys(properties ?? {}).length > 0 && typeof additionalProperties !== 'object'
}

function isSecret({ type, properties }: JsonSchema): boolean {
  return (
    type === 'object' &&
    Object.keys(properties ?? {}).join() === 'secret' &&
    properties?.secret?.type === 'string'
  )
}

function isParameter({ properties }: JsonSchema): boolean {
  return properties?.param !== undefined
}

function secretOf(schema: JsonSchema): 'only' | 'or text' | undefined {
  if (isSecret(schema)) return 'only'
  const branches = schema.anyOf ?? schema.oneOf ?? []
  const hasText = branches.some((each) => each.type === 'string' && each.enum === undefined)
  return branches.length === 2 && hasText && branches.some(isSecret) ? 'or text' : undefined
}

const textControls = ['multiline', 'model', 'endpoint', 'mcp-server', 'skill', 'skill-hash', 'agent'] as const

function textControl({ format, maxLength }: JsonSchema): Control {
  const most = numberOf(maxLength) === undefined ? {} : { maxLength: numberOf(maxLength) }
  if (format === 'code') return { control: 'code', language: 'javascript', ...most }
  if (format === 'python') return { control: 'code', language: 'python', ...most }
  return { control: textControls.find((each) => each === format) ?? 'text', ...most }
}

/** A union of words and one object that holds one text. */
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

/** A readable form of an enum value: `return_partial` → "return partial". */
export function optionLabel(value: string): string {
  return value.replaceAll('_', ' ')
}

/** What is wrong with a value, by its path within it: `''`, `max`, `headers/x-api-key`. */
export interface FieldFinding {
  readonly path: string
  readonly message: string
}

/** The findings of one node, by their paths within the node's settings: `tools/0/preset` → `preset`. */
export function findingsIn(
  findings: readonly { readonly path?: string; readonly message: string }[],
  entry: string | undefined,
): FieldFinding[] {
  return findings.flatMap(({ path, message }) => {
    if (path === undefined) return []
    const isBelow = entry !== undefined && path.startsWith(`${entry}/`)
    return [{ path: isBelow ? path.slice(entry.length + 1) : path, message }]
  })
}

/** The message about this key, or about something within it. */
export function findingOf(findings: readonly FieldFinding[], key: string): string | undefined {
  return findings.find(({ path }) => path === key || path.startsWith(`${key}/`))?.message
}

/** The findings below a key, with paths relative to it. */
export function findingsUnder(findings: readonly FieldFinding[], key: string): FieldFinding[] {
  return findings.flatMap(({ path, message }) =>
    path.startsWith(`${key}/`) ? [{ path: path.slice(key.length + 1), message }] : [],
  )
}

/** The object with one key set, or removed when `next` is undefined; the keys keep their order. */
export function withKey(value: JsonObject, key: string, next: JsonValue | undefined): JsonObject {
  if (next !== undefined) return { ...value, [key]: next }
  const { [key]: _gone, ...rest } = value
  return rest
}

/** The initial value for a schema: its default, or else only its required parts, empty. */
export function freshOf(schema: JsonSchema): JsonValue {
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum?.[0] !== undefined) return schema.enum[0]
  const [branch] = schema.anyOf ?? schema.oneOf ?? []
  if (branch !== undefined) return freshOf(branch)
  switch (schema.type) {
    case 'object': {
      const keys = (schema.required ?? []).filter((key) => schema.properties?.[key] !== undefined)
      return Object.fromEntries(keys.map((key) => [key, freshOf(schema.properties?.[key] ?? {})]))
    }
    case 'array':
      return []
    case 'boolean':
      return false
    case 'integer':
    case 'number':
      return numberOf(schema.minimum) ?? 0
    default:
      // Text, and what a schema without a type is typed as.
      return ''
  }
}

/**
 * The preset with one argument of one tool set, or removed when it is undefined; a tool without arguments is
 * removed too.
 */
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
