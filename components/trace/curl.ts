/** The exact request of a step as a curl command for a POSIX shell. Pure. */
import type { StepRequest } from '#lib/wire/runs'

/** Null when the step sends no HTTP request. */
export function curlOf({ request, http }: Pick<StepRequest, 'request' | 'http'>): string | null {
  if (http === null) return null
  const headers = { 'content-type': 'application/json', ...lowerCased(http.headers) }
  const lines = [
    `curl ${quoteForShell(http.url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${header(name, value)}`),
    `--data-binary ${quoteForShell(JSON.stringify(request))}`,
  ]
  return lines.join(' \\\n  ')
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** A key appears as the name of an environment variable, which the shell expands only in double quotes. */
function header(name: string, value: string): string {
  const variable = /\$(\{[A-Z_][A-Z0-9_]*\}|[A-Z_][A-Z0-9_]*)/
  const found = variable.exec(value)
  if (found === null) return quoteForShell(`${name}: ${value}`)
  const before = `${name}: ${value.slice(0, found.index)}`
  const after = value.slice(found.index + found[0].length)
  return `${quoteForShell(before)}"${found[0]}"${after === '' ? '' : quoteForShell(after)}`
}

/** Quotes any text as one word of a shell command. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
