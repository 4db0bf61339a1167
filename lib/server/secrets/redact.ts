/** Takes known secrets out of texts before anybody is told them. */
import { format } from 'node:util'

export type Redact = (text: string) => string

/** Shorter ones would tear holes into plain words. */
const leastLength = 8
const mask = '[secret]'

/**
 * One pass over the text, and none while nothing is known.
 * @param known the secrets of the moment: the same list as long as they are the same
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

/** Every way a value may stand in a text: as it is, inside JSON, inside a URL. The longest first, so that none is left half. */
function patternOf(values: readonly string[]): RegExp | undefined {
  const forms = values
    .filter((value) => value.length >= leastLength)
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), inUrl(value)])
  if (forms.length === 0) return undefined
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length)
  return new RegExp(longestFirst.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g')
}

/** Half a character, which no URL can hold, is kept as the mark it becomes everywhere else. */
function inUrl(value: string): string {
  return encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd'))
}

type Log = Record<'log' | 'info' | 'warn' | 'error', (...said: unknown[]) => void>

/** From now on nothing that is logged shows a secret, whoever logs it. */
export function redactLog(log: Log, redact: Redact): void {
  for (const level of ['log', 'info', 'warn', 'error'] as const) {
    const write = log[level].bind(log)
    log[level] = (...said) => {
      const text = format(...said)
      const clean = redact(text)
      // Left as it came when there is nothing to hide: a terminal's colours are made from the values.
      if (clean === text) write(...said)
      else write('%s', clean)
    }
  }
}
