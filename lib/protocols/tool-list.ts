/** Describes the tools in text for a model: a heading, what the tool does, and its parameters. */
import type { JsonSchema } from '#lib/spec/json'
import type { WireTool } from '#lib/spec/model'
import type { Locale } from '#lib/spec/protocol'

const words = {
  en: {
    parameters: 'Parameters:',
    required: 'required',
    optional: 'optional',
    oneOf: 'one of',
    form: 'schema',
    written: 'Write a call of it as:',
    example: 'Example:',
  },
  zh: {
    parameters: '参数：',
    required: '必需',
    optional: '可选',
    oneOf: '可选值',
    form: '结构',
    written: '调用写法：',
    example: '示例：',
  },
} as const

/** One block per tool, with blank lines between them. */
export function toolList(tools: readonly WireTool[], locale: Locale): string {
  return tools.map((each) => describeInText(each, locale)).join('\n\n')
}

export function describeInText(
  { name, description, parameters, example, form }: WireTool,
  locale: Locale,
): string {
  const { properties = {}, required = [] } = parameters
  const lines = [`### ${name === '' ? 'unknown' : name}`, description]
  const entries = Object.entries(properties)
  if (entries.length > 0) lines.push(words[locale].parameters)
  for (const [key, schema] of entries) {
    const need = required.includes(key) ? words[locale].required : words[locale].optional
    lines.push(`  - ${key} (${typeIn(schema)}, ${need}): ${schema.description ?? ''}`.trimEnd())
    lines.push(...details(schema, locale).map((each) => `    ${each}`))
  }
  if (form !== undefined) lines.push(words[locale].written, form)
  lines.push(...exampleLines(example, locale))
  return lines.join('\n')
}

/** The example of a tool under its heading; nothing for a tool without one. */
export function exampleLines(example: string | undefined, locale: Locale): string[] {
  return example === undefined ? [] : [words[locale].example, example]
}

function typeIn({ type }: JsonSchema): string {
  if (type === undefined) return 'any'
  return typeof type === 'string' ? type : type.join('|')
}

/** The parts of the schema that the type does not express, one per line. */
function details(schema: JsonSchema, locale: Locale): string[] {
  const { description: _, title: __, type, enum: values, ...rest } = schema
  const lines: string[] = []
  if (values !== undefined)
    lines.push(`${words[locale].oneOf}: ${values.map((each) => JSON.stringify(each)).join(', ')}`)
  if (Object.keys(rest).length > 0) lines.push(`${words[locale].form}: ${JSON.stringify(rest)}`)
  return lines
}
