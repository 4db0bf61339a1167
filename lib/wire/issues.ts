/**
 * Turns zod issues of a config or request into plain sentences: what is wrong, where, and what would be
 * right.
 */
import type { z } from 'zod'
import type { Diagnostic } from '#lib/spec/errors'

type Issue = z.core.$ZodIssue

/** One diagnostic for each error; `input` is the value that was read, so that the sentence can quote it. */
export function inWords(issue: Issue, input: unknown): Diagnostic[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => finding('unknown_key', `Unknown key "${key}".`, [...issue.path, key]))
  }
  const found = valueAt(input, issue.path)
  const meant = issue.code === 'invalid_union' ? meantIn(issue, found) : undefined
  if (meant !== undefined) return meant.flatMap((each) => inWords(each, input))
  if (found === undefined) return [finding('missing', missingSentence(issue), issue.path)]
  return [finding(codeOf(issue), sentence(issue, found), issue.path)]
}

/** The form of a union that was meant: the only one whose errors are all at keys that are present. */
function meantIn(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  found: unknown,
): readonly Issue[] | undefined {
  if (issue.discriminator !== undefined || typeof found !== 'object') return undefined
  const isMeant = (issues: readonly Issue[]) =>
    issues.every(({ path }) => path.length > 0 && valueAt(found, path) !== undefined)
  const [meant, ...others] = issue.errors.filter(isMeant)
  if (meant === undefined || others.length > 0) return undefined
  return meant.map((each) => ({ ...each, path: [...issue.path, ...each.path] }))
}

/**
 * The diagnostic as the one sentence of an error, starting with its path unless the sentence names it
 * already.
 */
export function withPlace({ code, message, path }: Diagnostic): string {
  if (path === undefined || code === 'unknown_key' || code === 'missing') return message
  return `At "${path}": ${message}`
}

function finding(code: string, message: string, path: readonly PropertyKey[]): Diagnostic {
  const where = path.map(String).join('/')
  return { severity: 'error', code, message, ...(where === '' ? {} : { path: where }) }
}

function codeOf(issue: Issue): string {
  if (issue.code === 'invalid_type') return 'wrong_type'
  if (issue.code === 'invalid_union' && issue.discriminator !== undefined) return 'unknown_part'
  return 'invalid_value'
}

function missingSentence(issue: Issue): string {
  const key = String(issue.path.at(-1) ?? 'value')
  if (issue.code === 'invalid_union') return `"${key}" is missing: ${choices(optionsOf(issue))}.`
  return `"${key}" is missing.`
}

function sentence(issue: Issue, found: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return `This must be ${article(issue.expected)}, not ${kindOf(found)}.`
    case 'invalid_value':
      return `This must be ${choices(issue.values)}, not ${shown(found)}.`
    case 'invalid_union':
      if (issue.discriminator === undefined) return 'This fits none of the forms allowed here.'
      return `There is no ${partAt(issue)} ${shown(found)}; ${offered(optionsOf(issue))}.`
    case 'too_big':
      return `This must be at most ${amount(issue.maximum, issue.origin)}.`
    case 'too_small':
      if (issue.inclusive === false) return `This must be more than ${issue.minimum}.`
      if (issue.origin === 'string' && issue.minimum === 1) return 'This must not be empty.'
      return `This must be at least ${amount(issue.minimum, issue.origin)}.`
    case 'invalid_format':
      return issue.format === 'regex'
        ? `This must be ${issue.message}.`
        : `This must be ${article(issue.format)}.`
    case 'invalid_key':
      return `The name "${String(issue.path.at(-1))}" is not allowed here: it must be ${issue.issues[0]?.message ?? 'another'}.`
    default:
      // The other issues come from our own checks, whose messages are sentences already.
      return `${issue.message}.`
  }
}

function optionsOf(issue: Extract<Issue, { code: 'invalid_union' }>): readonly unknown[] {
  return 'options' in issue && Array.isArray(issue.options) ? issue.options : []
}

/** The names of the parts in a config's lists, whose key is only `use`. */
const parts: Readonly<Record<string, string>> = { tools: 'toolkit', policies: 'policy' }

function partAt({ discriminator, path: [list] }: Extract<Issue, { code: 'invalid_union' }>): string {
  return (discriminator === 'use' ? parts[String(list)] : discriminator) ?? 'part'
}

function offered(values: readonly unknown[]): string {
  return `there ${values.length === 1 ? 'is' : 'are'}: ${values.map(String).join(', ')}`
}

function choices(values: readonly unknown[]): string {
  const words = values.map(shown)
  if (words.length <= 1) return words[0] ?? 'something else'
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

function amount(limit: number | bigint, origin: string): string {
  const what =
    origin === 'string' ? 'character' : origin === 'array' ? 'item' : origin === 'object' ? 'key' : undefined
  return what === undefined ? String(limit) : `${limit} ${what}${limit === 1 || limit === 1n ? '' : 's'}`
}

const articles: Readonly<Record<string, string>> = {
  object: 'an object',
  record: 'an object',
  array: 'a list',
  tuple: 'a list',
  int: 'a whole number',
  string: 'a text',
  boolean: 'true or false',
}

function article(expected: string): string {
  return articles[expected] ?? `a ${expected}`
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return article(Array.isArray(value) ? 'array' : typeof value)
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<PropertyKey, unknown>)[key] // cast: an own key of an object, as just checked
  }
  return value
}
