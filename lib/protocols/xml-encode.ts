/** Writes calls in the XML format as a model would: an earlier answer is sent back in the form it came in. */
import type { JsonObject, JsonValue } from '#lib/spec/json'
import type { CallPart } from '#lib/spec/message'
import { harmless, quoteName } from './xml-tags'

export function xmlCalls(calls: readonly CallPart[]): string {
  return `<function_calls>\n${calls.map(xmlCall).join('')}</function_calls>`
}

function xmlCall({ name, args, rawArgs }: CallPart): string {
  const inner = args === undefined ? `${harmless(rawArgs)}\n` : xmlParameters(args)
  return `<invoke name=${quoteName(name)}>\n${inner}</invoke>\n`
}

function xmlParameters(args: JsonObject): string {
  return Object.entries(args)
    .map(([key, value]) => `<parameter name=${quoteName(key)}>${xmlValue(value)}</parameter>\n`)
    .join('')
}

/** Plain text if it can be read back unchanged, CDATA otherwise. */
function xmlValue(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const isPlain = !text.includes('<') && !/^\s*[\r\n]|[\r\n]$/.test(text)
  return isPlain ? text : `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
}
