/** Finds values in the settings of an MCP server that look like secrets, so that they are never stored as they are. */
import type { McpReach } from '#lib/spec/mcp'
import { mapTexts } from './templates'

/** A part of a text, with the word that describes it. */
interface Range {
  readonly start: number
  readonly end: number
  readonly label: string
}

export interface FoundSecret {
  readonly name: string
  readonly value: string
  /** Where it was: `env/GITHUB_TOKEN`, `args/2`. */
  readonly at: string
}

/**
 * Replaces what looks like a secret by `${NAME}`.
 * @param nameFor chooses the name for a value, from a proposal such as `GITHUB_TOKEN`
 */
export function takeSecrets(
  server: string,
  reach: McpReach,
  nameFor: (proposal: string, value: string) => string,
): { readonly reach: McpReach; readonly found: readonly FoundSecret[] } {
  const found: FoundSecret[] = []
  const args = reach.transport === 'stdio' ? reach.args : []
  const taken = mapTexts(reach, (text, at) => {
    let result = ''
    let from = 0
    for (const { start, end, label } of rangesIn(text, at, args)) {
      const raw = text.slice(start, end)
      const value = at === 'url' ? decoded(raw) : raw
      const name = nameFor(proposalOf(server, label), value)
      found.push({ name, value, at })
      result += `${text.slice(from, start)}\${${name}}`
      from = end
    }
    return result + text.slice(from)
  })
  return { reach: taken, found }
}

function rangesIn(text: string, at: string, args: readonly string[]): Range[] {
  // A text that names a secret already was written by somebody who keeps the rest of it open.
  if (text.includes('${')) return []
  const [, key = ''] = /^[^/]*\/(.*)$/.exec(at) ?? []
  if (at === 'url') return rangesInUrl(text)
  if (!at.startsWith('args/')) return rangesInValue(text, 0, key)
  return rangesInArgument(text, args[Number(key) - 1])
}

/** `--token=x`, `KEY=x`, `Authorization: Bearer x`, or `x` after `--token`. */
function rangesInArgument(text: string, before: string | undefined): Range[] {
  const named = /^-{0,2}([A-Za-z_][\w.-]*)\s*[=:]\s*(?!\/\/)/.exec(text)
  if (named !== null) return rangesInValue(text, named[0].length, named[1] ?? '')
  const flag = /^--?([A-Za-z][\w.-]*)$/.exec(before ?? '')
  return rangesInValue(text, 0, text.startsWith('-') ? '' : (flag?.[1] ?? ''))
}

/** @param name what the value is called; empty if it has no name */
function rangesInValue(text: string, start: number, name: string): Range[] {
  const value = text.slice(start)
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) {
    const inside = rangesInUrl(value).map((range) => ({
      ...range,
      start: range.start + start,
      end: range.end + start,
      label: range.label === '' ? name : range.label,
    }))
    if (inside.length > 0 || !isSecretName(name)) return inside
  }
  const scheme = /^(Bearer|Basic|Token|ApiKey)\s+/i.exec(value)?.[0].length ?? 0
  const bare = value.slice(scheme)
  if (bare === '' || isPlainValue(bare)) return []
  const isSecret = scheme > 0 || (isSecretName(name) && !namesAFile(name, bare)) || looksSecret(bare)
  return isSecret ? [{ start: start + scheme, end: text.length, label: name }] : []
}

/** The password, query values and segments of the path that look like secrets. */
function rangesInUrl(text: string): Range[] {
  const ranges: Range[] = []
  const add = (start: number, value: string, label: string) =>
    ranges.push({ start, end: start + value.length, label })
  const [, head = '', password = ''] = /^([a-z][a-z0-9+.-]*:\/\/[^\s/:@?#]*:)([^\s/@?#]+)@/i.exec(text) ?? []
  if (password !== '') add(head.length, password, 'password')
  const path = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(text)?.[0].length ?? 0
  for (const part of text.matchAll(/[/?&;]([^/?&;#]*)/g)) {
    const at = part.index + 1
    if (at < path) continue
    const [whole = '', piece = ''] = part
    const isPath = whole.startsWith('/')
    const split = isPath ? -1 : piece.indexOf('=')
    const value = piece.slice(split + 1)
    const name = split < 0 ? '' : piece.slice(0, split)
    const bare = decoded(value)
    if (bare === '' || isPlainValue(bare)) continue
    if (looksSecret(bare) || isSecretName(name)) add(at + split + 1, value, name === '' ? 'path' : name)
  }
  return ranges
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const secretWords = new Set(
  'token tokens secret secrets password passwd passphrase pwd apikey credential credentials bearer jwt'.split(
    ' ',
  ),
)
/** Words that count only at the end of a name: `AUTH` of `X_AUTH`, but not of `AUTH_MODE`. */
const lastWords = new Set('key keys auth authorization cookie pat dsn session signature'.split(' '))

function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const last = words.at(-1) ?? ''
  return (
    words.some((word) => secretWords.has(word)) ||
    lastWords.has(last) ||
    /(key|token|secret|password)$/.test(last)
  )
}

/** `TOKEN_FILE=/run/token` names a file, which is not secret itself. */
function namesAFile(name: string, value: string): boolean {
  return /(file|path|dir|folder|url|uri|host|name|mode|type)$/i.test(name) && !looksSecret(value)
}

function isPlainValue(value: string): boolean {
  return /^(true|false|yes|no|on|off|none|null|auto|\d{1,6})$/i.test(value)
}

/** How well-known services begin their keys. */
const knownStarts =
  /^(sk-|pk_|rk_|sk_|gh[opusr]_|github_pat_|glpat-|xox[abeoprs]-|xapp-|AKIA|ASIA|AIza|ya29\.|eyJ[\w-]+\.|npm_|hf_|shpat_|lin_api_|ntn_|SG\.|dop_v1_|tvly-|gsk_|r8_|sbp_|figd_|ATATT|pypi-|-----BEGIN )/
/** A part of at least this many letters and digits, mixed, is no word. */
const leastRandom = 16

function looksSecret(value: string): boolean {
  if (knownStarts.test(value) && value.length >= 12) return true
  if (/[\s/\\]/.test(value) || value.startsWith('@')) return false
  return value
    .split(/[^A-Za-z0-9]+/)
    .some((part) => part.length >= leastRandom && /\d.*\d/.test(part) && /[A-Za-z].*[A-Za-z]/.test(part))
}

/** `GITHUB_TOKEN` for the token of the server `github`, in the form of a secret's name. */
function proposalOf(server: string, label: string): string {
  const [start, rest] = [upper(server), upper(label) || 'SECRET']
  const name = rest === start || rest.startsWith(`${start}_`) ? rest : `${start}_${rest}`
  const plain = (/^[A-Z]/.test(name) ? name : `MCP_${name}`).slice(0, 60)
  return plain.replace(/_+$/, '')
}

function upper(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
}
