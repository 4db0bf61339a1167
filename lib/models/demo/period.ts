/** Times in a question: years, months, quarters and days, as a span of ISO dates or as a month of any year. */
import { capitalize } from './words'

/** `from` is included, `to` is not; either may be open. ISO dates. */
export interface Period {
  readonly from?: string
  readonly to?: string
  /** A month of any year, `01` to `12`. */
  readonly month?: string
  /** Whether the span consists of whole years, so that it can limit a column that holds only a year. */
  readonly wholeYears: boolean
  /** Whether years are named one by one, so that rows are grouped by year. */
  readonly several: boolean
  readonly words: string
}

/** One time of a question, as a span of days. */
interface Moment {
  readonly unit: 'year' | 'quarter' | 'month' | 'day'
  readonly from: string
  readonly to: string
  readonly words: string
  /** The preposition right before it, or nothing. */
  readonly after: string
}

const months = 'january february march april may june july august september october november december'.split(
  ' ',
)
// "may" is a month only after a preposition or before a year.
const monthPattern = months.join('|').replace('may', '(?<=\\b(?:in|of|during) )may|may(?= \\d{4})')
const momentPattern = new RegExp(
  `\\b(?:(\\d{4}-\\d{2}-\\d{2})|q([1-4])|(${monthPattern})|((?:19|20)\\d\\d))\\b`,
  'g',
)
const yearPattern = /\b(?:19|20)\d\d\b/

export function readPeriod(question: string): Period | undefined {
  const text = question.toLowerCase()
  const found = [...text.matchAll(momentPattern)]
  const month = found.flatMap((each) => each[3] ?? [])[0]
  if (month !== undefined && !yearPattern.test(text)) {
    const number = String(months.indexOf(month) + 1).padStart(2, '0')
    return { month: number, wholeYears: false, several: false, words: `in ${capitalize(month)} of any year` }
  }
  const moments = found
    .flatMap((each) => readMoment(each, text))
    .sort((one, other) => one.from.localeCompare(other.from))
  // The year of "March 2024" belongs to the month.
  const finer = moments.filter((each) => each.unit !== 'year')
  return spanOf(finer.length > 0 ? finer : moments)
}

function readMoment(match: RegExpMatchArray, text: string): Moment[] {
  const [found, day, quarter, month] = match
  const before = text.slice(0, match.index)
  const after = /\b(since|from|after|before|until|between)\s+$/.exec(before)?.[1] ?? ''
  if (day !== undefined) {
    const start = Date.parse(day)
    if (Number.isNaN(start)) return []
    return [{ unit: 'day', from: day, to: isoDay(start + 86_400_000), words: day, after }]
  }
  const year = yearPattern.exec(text.slice(match.index))?.[0] ?? yearPattern.exec(text)?.[0]
  if (year === undefined) return []
  const span = (first: number, length: number) => ({
    from: isoDay(Date.UTC(Number(year), first)),
    to: isoDay(Date.UTC(Number(year), first + length)),
    after,
  })
  if (quarter !== undefined)
    return [{ unit: 'quarter', ...span((Number(quarter) - 1) * 3, 3), words: `Q${quarter} ${year}` }]
  if (month !== undefined)
    return [{ unit: 'month', ...span(months.indexOf(month), 1), words: `${capitalize(month)} ${year}` }]
  return [{ unit: 'year', ...span(0, 12), words: found }]
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

function spanOf(moments: readonly Moment[]): Period | undefined {
  const [first, last] = [moments[0], moments.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const { unit, from, to, words, after } = first
  const wholeYears = unit === 'year'
  const period = { wholeYears, several: false }
  if (last.from === from) {
    if (after === 'since' || after === 'from') return { ...period, from, words: `since ${words}` }
    if (after === 'after') return { ...period, from: to, words: `after ${words}` }
    if (after === 'before' || after === 'until') return { ...period, to: from, words: `before ${words}` }
    return { ...period, from, to, words: `${unit === 'day' ? 'on' : 'in'} ${words}` }
  }
  const several = wholeYears && !moments.some((each) => /^(between|from)$/.test(each.after))
  const joined = several ? `for ${words} and ${last.words}` : `from ${words} to ${last.words}`
  return { ...period, from, to: last.to, several, words: joined }
}

/** The question without its years, so that a follow-up can bring its own. */
export function withoutYears(question: string): string {
  return question.replace(/\b(in|since|before|after|during|for|of)?\s*\b(19|20)\d\d\b(-\d\d-\d\d)?/gi, '')
}

/** Whether a word refers to time and so cannot be a value of a column. */
export function isTimeWord(word: string): boolean {
  return months.includes(word) || /^((19|20)\d\d|q[1-4])$/.test(word)
}
