/** A JSON Schema as short text for readers, in the style of TypeScript. */
import { z } from 'zod'

/** The parts of a schema that are shown, parsed with zod since the schema is only data here. */
const shown = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  prefixItems: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.unknown().optional(),
})
type Shown = z.infer<typeof shown>

/** An object longer than this gets a line for each of its keys. */
const longestLine = 90

export function shapeOf(schema: unknown, indent = ''): string {
  const read = shown.safeParse(schema)
  if (!read.success) return 'any'
  const { $ref, type, enum: values, anyOf, oneOf, ...rest } = read.data
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1)
  if (rest.const !== undefined) return JSON.stringify(rest.const)
  if (values !== undefined) return unionOf(values.map((value) => JSON.stringify(value)))
  const choices = anyOf ?? oneOf
  if (choices !== undefined) return unionOf(choices.map((choice) => shapeOf(choice, indent)))
  if (Array.isArray(type)) return unionOf(type)
  const { prefixItems } = rest
  if (prefixItems !== undefined) return `[${prefixItems.map((item) => shapeOf(item, indent)).join(', ')}]`
  if (type === 'array') return listOf(shapeOf(rest.items, indent))
  if (type === 'object') return objectOf(rest, indent)
  return type === 'integer' ? 'number' : (type ?? 'any')
}

function unionOf(shapes: readonly string[]): string {
  return [...new Set(shapes)].join(' | ')
}

function listOf(item: string): string {
  return /^\w+$/.test(item) || item.startsWith('{') ? `${item}[]` : `(${item})[]`
}

type ObjectShape = Pick<Shown, 'properties' | 'required' | 'additionalProperties'>

function objectOf(
  { properties = {}, required = [], additionalProperties }: ObjectShape,
  indent: string,
): string {
  const inner = `${indent}  `
  const keys = Object.entries(properties).map(
    ([name, value]) => `${name}${required.includes(name) ? '' : '?'}: ${shapeOf(value, inner)}`,
  )
  const isOpen = typeof additionalProperties === 'object' && additionalProperties !== null
  const all = [...keys, ...(isOpen ? [`[key: string]: ${shapeOf(additionalProperties, inner)}`] : [])]
  if (all.length === 0) return '{}'
  const line = `{ ${all.join(', ')} }`
  if (line.length <= longestLine && !line.includes('\n')) return line
  return `{\n${all.map((each) => `${inner}${each}`).join('\n')}\n${indent}}`
}
