/** Puts the arguments of an operation where its document says: the query, headers and cookies. */
import type { Result } from '#lib/spec/errors'
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import type { InputStyle, OperationInput } from '#lib/spec/openapi'
import { textOf } from './http-address'
import { argumentOf, headerText } from './http-values'

export interface PlacedInputs {
  readonly query: readonly (readonly [string, string])[]
  readonly headers: readonly (readonly [string, string])[]
  /** `name=value`, encoded. */
  readonly cookies: readonly string[]
}

/** What is not given is left out. The error is one sentence for the model. */
export function placeInputs(
  inputs: readonly OperationInput[],
  args: JsonObject,
): Result<PlacedInputs, string> {
  const query: [string, string][] = []
  const headers: [string, string][] = []
  const cookies: string[] = []
  for (const { argument, in: place, name, style } of inputs) {
    const value = argumentOf(args, argument)
    if (value === undefined || value === null || place === 'path') continue
    if (place === 'query') {
      query.push(...pairsOf(name, value, style))
      continue
    }
    const { text, fault } = headerText(name, style === 'json' ? JSON.stringify(value) : value)
    if (fault !== undefined) return { ok: false, error: fault }
    if (text === undefined) continue
    if (place === 'header') headers.push([name, text])
    else cookies.push(`${name}=${encodeURIComponent(text)}`)
  }
  return { ok: true, value: { query, headers, cookies } }
}

const separators: Partial<Record<InputStyle, string>> = { comma: ',', space: ' ', pipe: '|', plain: ',' }

function pairsOf(name: string, value: JsonValue, style: InputStyle): [string, string][] {
  if (style === 'json') return [[name, JSON.stringify(value)]]
  if (Array.isArray(value)) {
    const texts = value.map((each) => textOf(each) ?? '')
    const separator = separators[style]
    return separator === undefined ? texts.map((text) => [name, text]) : [[name, texts.join(separator)]]
  }
  if (!isObject(value)) return [[name, textOf(value) ?? '']]
  const parts = Object.entries(value).flatMap(([key, each]) => {
    const text = textOf(each)
    return text === undefined ? [] : [[key, text] as [string, string]]
  })
  if (style === 'deep') return parts.map(([key, text]) => [`${name}[${key}]`, text])
  // In the style "form", the keys of an exploded object are the parameters.
  if (style === 'repeat') return parts
  return [[name, parts.flat().join(separators[style] ?? ',')]]
}
