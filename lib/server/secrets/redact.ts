/** Replaces known secrets in texts before anyone sees them. */
import { format } from 'node:util'
import { type Redact, secretMask } from '#lib/spec/redact'

/** Shorter values would also match parts of ordinary words. */
const leastLength = 8

/** The secrets known at a moment. */
interface Known {
  /** Matches every form of every secret. */
  readonly pattern: RegExp
  /** The forms by their first character. */
  readonly byStart: ReadonlyMap<string, readonly string[]>
  readonly longest: number
  readonly shortest: number
}

/**
 * One pass over the text, or none while no secret is known.
 * @param values the current secrets, grouped in lists: each list is the same object until its secrets change
 */
export function createRedact(values: () => readonly (readonly string[])[]): Redact {
  let seen: readonly (readonly string[])[] = []
  let known: Known | undefined
  const current = () => {
    const lists = values()
    if (lists.length !== seen.length || lists.some((list, index) => list !== seen[index])) {
      seen = lists
      known = knownOf(lists.flat())
    }
    return known
  }
  const redact = (text: string) => {
    const now = current()
    return now === undefined ? text : text.replace(now.pattern, secretMask)
  }
  return Object.assign(redact, { inPieces: () => redactPieces(current) })
}

/** The longest form comes first in the pattern, so that no part of it remains. */
function knownOf(values: readonly string[]): Known | undefined {
  const forms = [...new Set(values.filter((value) => value.length >= leastLength).flatMap(formsOf))]
  if (forms.length === 0) return undefined
  const longestFirst = forms.sort((a, b) => b.length - a.length)
  const source = longestFirst.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|')
  const byStart = new Map<string, string[]>()
  for (const form of longestFirst) {
    const start = form.slice(0, 1)
    byStart.set(start, [...(byStart.get(start) ?? []), form])
  }
  const longest = longestFirst[0]?.length ?? 0
  const shortest = longestFirst.at(-1)?.length ?? 0
  return { pattern: new RegExp(source, 'g'), byStart, longest, shortest }
}

/** A value as it is, inside JSON, inside a URL and inside base64. */
function formsOf(value: string): string[] {
  return [value, JSON.stringify(value).slice(1, -1), inUrl(value), ...inBase64(value)]
}

/** Half a surrogate pair, which no URL can contain, becomes U+FFFD, as it does elsewhere. */
function inUrl(value: string): string {
  return encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd'))
}

/**
 * The characters of base64 that the value alone determines, in both alphabets, for each of the three places where it
 * may begin in a group of three bytes: `user:value` is encoded otherwise than `value`.
 */
function inBase64(value: string): string[] {
  const bytes = Buffer.from(value)
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const own = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

/** Secrets are looked for behind JSON's escapes, however a model wrote them; the text itself keeps its escapes. */
function redactPieces(current: () => Known | undefined): (piece: string) => string {
  let held = ''
  return (piece) => {
    const known = current()
    const text = held + piece
    held = ''
    if (known === undefined || isClean(known, text)) return text
    const { plain, placeOf } = withoutEscapes(text)
    let end = heldFrom(known, plain, 0)
    if (text.length < known.shortest) {
      held = text.slice(placeOf(end))
      return text.slice(0, placeOf(end))
    }
    let shown = ''
    let at = 0
    for (const { 0: match, index } of plain.matchAll(known.pattern)) {
      if (index >= end) break
      shown += text.slice(placeOf(at), placeOf(index)) + secretMask
      at = index + match.length
    }
    if (at > end) end = heldFrom(known, plain, at)
    held = text.slice(placeOf(end))
    return (shown + text.slice(placeOf(at), placeOf(end))).replace(known.pattern, secretMask)
  }
}

/** Whether it is certain that no secret is in the text or begins in it: the usual case, found in few passes. */
function isClean(known: Known, text: string): boolean {
  const lastEscape = text.lastIndexOf('\\')
  // An escape at the end may be cut off.
  if (lastEscape >= 0 && text.length - lastEscape < longestEscape) return false
  if (text.search(known.pattern) >= 0) return false
  const plain = lastEscape < 0 ? text : text.replace(escapes, meaningOf)
  if (plain !== text && plain.search(known.pattern) >= 0) return false
  return heldFrom(known, plain, 0) === plain.length
}

/** Where the text ends in the beginning of a secret; the length of the text when it does not. */
function heldFrom({ byStart, longest }: Known, text: string, from: number): number {
  for (let at = Math.max(from, text.length - longest + 1); at < text.length; at++) {
    const forms = byStart.get(text.charAt(at))
    if (forms === undefined) continue
    const rest = text.slice(at)
    if (forms.some((form) => form.length > rest.length && form.startsWith(rest))) return at
  }
  return text.length
}

const shortEscapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
const escapes = /\\(?:u[\s\S]{4}|[^u])/g
const longestEscape = 6

/** What a complete escape stands for. */
function meaningOf(written: string): string {
  const letter = written.charAt(1)
  if (letter === 'u') return String.fromCharCode(Number.parseInt(written.slice(2), 16) || 0)
  return shortEscapes[letter] ?? letter
}

/**
 * The text with JSON's escapes replaced by what they stand for, and where each of its characters begins in the text.
 * An escape that is not complete is left out at the end.
 */
function withoutEscapes(text: string): { readonly plain: string; placeOf(index: number): number } {
  if (!text.includes('\\')) return { plain: text, placeOf: (index) => index }
  const places: number[] = []
  let plain = ''
  let at = 0
  while (at < text.length) {
    const isEscape = text.charAt(at) === '\\'
    const isUnicode = isEscape && text.charAt(at + 1) === 'u'
    const length = isUnicode ? 6 : isEscape ? 2 : 1
    if (at + length > text.length) break
    places.push(at)
    plain += isEscape ? meaningOf(text.slice(at, at + length)) : text.charAt(at)
    at += length
  }
  return { plain, placeOf: (index) => places[index] ?? at }
}

type Log = Record<'log' | 'info' | 'warn' | 'error', (...said: unknown[]) => void>

/** From now on no log line shows a secret, whatever code writes it. */
export function redactLog(log: Log, redact: Redact): void {
  for (const level of ['log', 'info', 'warn', 'error'] as const) {
    const write = log[level].bind(log)
    log[level] = (...said) => {
      const text = format(...said)
      const clean = redact(text)
      // Without a secret the values are passed on unchanged, since a terminal's colours are made from them.
      if (clean === text) write(...said)
      else write('%s', clean)
    }
  }
}
