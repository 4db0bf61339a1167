/** The parameters of a tool as rows of a table, and edits of a row as a new JSON Schema. */
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'

/** The types that a table offers; any other schema keeps its form and is edited as JSON. */
export const parameterTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const

export interface ParameterRow {
  readonly name: string
  /** Empty when the schema allows any type, or several. */
  readonly type: string
  readonly description: string
  readonly isRequired: boolean
}

/** Undefined if the schema cannot be shown as a table. */
export function rowsOf(schema: JsonValue | undefined): ParameterRow[] | undefined {
  if (schema === undefined) return []
  if (!isObject(schema) || schema.type !== 'object') return undefined
  const { properties = {}, required = [] } = schema
  if (!isObject(properties) || !Array.isArray(required)) return undefined
  if (!Object.values(properties).every(isObject)) return undefined
  return Object.entries(properties).map(([name, property]) => {
    const { type, description } = isObject(property) ? property : {}
    return {
      name,
      type: typeof type === 'string' ? type : '',
      description: typeof description === 'string' ? description : '',
      isRequired: required.includes(name),
    }
  })
}

/** The schema with one more parameter, a required text. */
export function addRow(schema: JsonValue | undefined, name: string): JsonObject {
  const { properties, required, rest } = partsOf(schema)
  return written(rest, [...properties, [name, { type: 'string' }]], [...required, name])
}

export function removeRow(schema: JsonValue | undefined, name: string): JsonObject {
  const { properties, required, rest } = partsOf(schema)
  return written(
    rest,
    properties.filter(([each]) => each !== name),
    required.filter((each) => each !== name),
  )
}

/** The schema with changes of one parameter, which keeps its place and all that the table does not show. */
export function changeRow(
  schema: JsonValue | undefined,
  name: string,
  change: Partial<ParameterRow>,
): JsonObject {
  const { properties, required, rest } = partsOf(schema)
  const to = change.name ?? name
  const isRequired = change.isRequired ?? required.includes(name)
  return written(
    rest,
    properties.map(([key, held]) => (key === name ? [to, changeProperty(held, change)] : [key, held])),
    properties.flatMap(([key]) => {
      if (key === name) return isRequired ? [to] : []
      return required.includes(key) ? [key] : []
    }),
  )
}

function changeProperty(held: JsonValue, { type, description }: Partial<ParameterRow>): JsonObject {
  const { type: oldType, description: oldText, ...rest } = isObject(held) ? held : {}
  const nextType = type ?? oldType
  const nextText = description ?? oldText
  return {
    ...(nextType !== undefined && nextType !== '' && { type: nextType }),
    ...(nextText !== undefined && nextText !== '' && { description: nextText }),
    ...rest,
  }
}

function partsOf(schema: JsonValue | undefined) {
  const { type: _type, properties, required, ...rest } = isObject(schema) ? schema : {}
  return {
    properties: Object.entries(isObject(properties) ? properties : {}),
    required: Array.isArray(required) ? required.filter((each) => typeof each === 'string') : [],
    rest,
  }
}

function written(
  rest: JsonObject,
  properties: readonly (readonly [string, JsonValue])[],
  required: readonly string[],
): JsonObject {
  return {
    type: 'object',
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(required.length > 0 && { required: [...required] }),
    ...rest,
  }
}
