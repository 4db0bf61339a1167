/** Writes calls in the XML format as a model would: an earlier answer is sent back in the form it came in. */
import type { JsonObject, JsonValue } from '#lib/spec/json'
import type { CallPart } from '#lib/spec/message'
import type { XmlForm } from '#lib/spec/toolkit'
import { harmless, quoteName } from './xml-tags'

export function xmlCalls(calls: readonly CallPart[]): string {
  return `<function_calls>\n${calls.map(xmlCall).join('')}</function_calls>`
}

function xmlCall({ name, args, rawArgs }: CallPart): string {
  const inner = args === undefined ? `${harmless(rawArgs)}\n` : xmlParameters(args)
  return `<invoke name=${quoteName(name)}>\n${inner}</invoke>\n`
}

/** A call in the form that its tool declares. */
export function declaredCall({ name, attributes }: XmlForm, args: JsonObject): string {
  // The attribute `name` is the name of the call itself.
  const isAttribute = (key: string) => key !== 'name' && attributes.includes(key)
  const entries = Object.entries(args)
  const own = entries
    .filter(([key]) => isAttribute(key))
    .map(([key, value]) => ` ${key}=${quoteName(typeof value === 'string' ? value : JSON.stringify(value))}`)
  const inner = entries
    .filter(([key]) => !isAttribute(key))
    .map(([key, value]) =>
      isElementName(key) ? `<${key}>${xmlValue(value)}</${key}>\n` : xmlParameters({ [key]: value }),
    )
  return `<invoke name=${quoteName(name)}${own.join('')}>\n${inner.join('')}</invoke>`
}

/** Whether a tag of this name is read as the parameter, and not as a tag of the format. */
function isElementName(key: string): boolean {
  return /^[A-Za-z_]\w{0,63}$/.test(key) && !/^(function_calls|invoke|parameter)$/i.test(key)
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
