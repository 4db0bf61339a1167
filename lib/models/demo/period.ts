/** Times in a question: "in 2024", "since 2024-05", "between 2023 and 2024". */

/** Dates as text are in it from `from` up to `to`, which is not in it; either may be open. */
export interface Period {
  readonly from?: string
  readonly to?: string
  readonly words: string
}

const time = /\b(?:(since|from|before|until|after)\s+)?((?:19|20)\d\d(?:-\d\d){0,2})\b/gi

export function readPeriod(question: string): Period | undefined {
  const found = [...question.matchAll(time)]
  const times = found.map(([, , each = '']) => each).sort()
  const [first, last = ''] = [times[0], times.at(-1)]
  if (first === undefined) return undefined
  // A tilde sorts after everything that a date may go on with.
  const end = `${last}~`
  if (first !== last) return { from: first, to: end, words: `from ${first} to ${last}` }
  const preposition = found[0]?.[1]?.toLowerCase() ?? ''
  if (/since|from/.test(preposition)) return { from: first, words: `since ${first}` }
  if (preposition === 'after') return { from: end, words: `after ${first}` }
  if (preposition === 'before') return { to: first, words: `before ${first}` }
  if (preposition === 'until') return { to: end, words: `until ${first}` }
  return { from: first, to: end, words: `in ${first}` }
}

/** The question without its times, so that a follow-up can bring its own. */
export function withoutTimes(question: string): string {
  return question.replace(time, '')
}
