/**
 * Finds the part of a JSON Schema that applies to a value, with references resolved and union options chosen.
 */
import { isObject, type JsonSchema, type JsonValue } from '#lib/spec/json'

/** The schema that applies to the value; undefined when there is none. */
export function formOf(schema: JsonSchema, root: JsonSchema, value: JsonValue): JsonSchema | undefined {
  const form = followReference(schema, root)
  const options = form?.oneOf ?? form?.anyOf
  if (options === undefined) return form
  for (const option of options) {
    const found = followReference(option, root)
    if (found !== undefined && fits(found, value)) return formOf(found, root, value)
  }
  return undefined
}

/** Whether the value has the form's type, and every `const` of the form as its value or default. */
function fits(form: JsonSchema, value: JsonValue): boolean {
  if (form.const !== undefined) return form.const === value
  if (form.enum !== undefined) return form.enum.includes(value)
  if (typeof form.type === 'string' && !isOfType(form.type, value)) return false
  if (form.properties === undefined || !isObject(value)) return true
  return Object.entries(form.properties).every(
    ([key, each]) => each.const === undefined || (value[key] ?? each.default) === each.const,
  )
}

function isOfType(type: string, value: JsonValue): boolean {
  switch (type) {
    case 'object':
      return isObject(value)
    case 'array':
      return Array.isArray(value)
    case 'null':
      return value === null
    case 'integer':
    case 'number':
      return typeof value === 'number'
    default:
      // `string` and `boolean` are called the same by `typeof`; a type that JSON does not have fits nothing.
      return typeof value === type
  }
}

function followReference(schema: JsonSchema, root: JsonSchema): JsonSchema | undefined {
  const { $ref } = schema
  if (typeof $ref !== 'string') return schema
  const name = $ref.startsWith('#/$defs/') ? $ref.slice('#/$defs/'.length) : undefined
  const defs = root.$defs
  if (name === undefined || !isDefinitions(defs)) return undefined
  const target = defs[name]
  // Our own schemas never contain a definition that is itself a reference, and following one could lead into
  // a cycle.
  return target === undefined || '$ref' in target ? undefined : target
}

function isDefinitions(value: unknown): value is Record<string, JsonSchema> {
  return typeof value === 'object' && value !== null
}
