/** Replaces known secrets in texts before anyone sees them. */
import { format } from 'node:util'

export type Redact = (text: string) => string

/** Shorter values would also match parts of ordinary words. */
const leastLength = 8
const mask = '[secret]'

/**
 * One pass over the text, or none while no secret is known.
 * @param known the current secrets, grouped in lists: each list is the same object until its secrets change
 */
export function createRedact(known: () => readonly (readonly string[])[]): Redact {
  let seen: readonly (readonly string[])[] = []
  let pattern: RegExp | undefined
  return (text) => {
    const lists = known()
    if (lists.length !== seen.length || lists.some((list, index) => list !== seen[index])) {
      seen = lists
      pattern = patternOf(lists.flat())
    }
    return pattern === undefined ? text : text.replace(pattern, mask)
  }
}

/**
 * Matches every form of a value: plain, inside JSON, inside a URL. The longest comes first,
 * so that no part of it remains.
 */
function patternOf(values: readonly string[]): RegExp | undefined {
  const forms = values
    .filter((value) => value.length >= leastLength)
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), inUrl(value)])
  if (forms.length === 0) return undefined
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length)
  return new RegExp(longestFirst.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g')
}

/** Half a surrogate pair, which no URL can contain, becomes U+FFFD, as it does elsewhere. */
function inUrl(value: string): string {
  return encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd'))
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
