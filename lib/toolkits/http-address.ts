/** Fills the `{name}` marks of an address with arguments, so that no argument can lead to another place. */
import type { Result } from '#lib/spec/errors'
import type { JsonValue } from '#lib/spec/json'

const mark = /\{([A-Za-z0-9_.-]{1,256})\}/g

/** The names of the marks in an address, each once. */
export function marksIn(address: string): string[] {
  return [...new Set([...address.matchAll(mark)].map(([, name = '']) => name))]
}

/** Replaces the marks. Every value is percent-encoded; the error is one sentence for the model. */
export function fillAddress(
  address: string,
  argument: (name: string) => JsonValue | undefined,
): Result<string, string> {
  const [path = '', ...rest] = splitAtQuery(address)
  let fault: string | undefined
  const fill = (text: string, isPath: boolean) =>
    text.replace(mark, (_whole, name: string) => {
      const value = textOf(argument(name))
      fault ??= isPath ? faultInPath(name, value) : faultInText(name, value)
      return percentEncode(value ?? '')
    })
  const filled = [fill(path, true), ...rest.map((each) => fill(each, false))].join('')
  if (fault !== undefined) return { ok: false, error: fault }
  // A value may complete a segment of the address, such as the second dot of "/.{name}".
  if (pathOf(filled).split('/').some(isDots))
    return { ok: false, error: 'The address would contain the path segment “.” or “..”, which is refused.' }
  return { ok: true, value: filled }
}

/** The address up to its query, and the rest. */
function splitAtQuery(address: string): string[] {
  const at = address.search(/[?#]/)
  return at < 0 ? [address] : [address.slice(0, at), address.slice(at)]
}

function pathOf(address: string): string {
  return (splitAtQuery(address)[0] ?? '').replace(/^https?:\/\/[^/]*/i, '')
}

/** A single value as text; lists are joined with commas, as OpenAPI's simple style has it. */
export function textOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value)) return value.map((each) => textOf(each) ?? '').join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function faultInPath(name: string, value: string | undefined): string | undefined {
  if (value === undefined || value === '')
    return `The address needs a value for “${name}”. Give one that is not empty.`
  if (value.split(/[/\\]/).some(isDots)) return `“${name}” must not contain the path segment “.” or “..”.`
  return faultInText(name, value)
}

function faultInText(name: string, value: string | undefined): string | undefined {
  return value !== undefined && hasControls(value)
    ? `“${name}” must not contain control characters.`
    : undefined
}

/** Whether a text contains a line break, a zero byte or another control character. */
export function hasControls(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  return /[\u0000-\u001f\u007f-\u009f]/.test(text)
}

/** A segment that a URL parser would take as a step: dots as they are, or percent-encoded. */
function isDots(segment: string): boolean {
  const plain = segment.replace(/%2e/gi, '.')
  return plain === '.' || plain === '..'
}

/** As `encodeURIComponent`, and also the marks that it leaves. A lone half of a character becomes U+FFFD. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
