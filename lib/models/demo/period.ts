/** Times in a question: years, months, quarters and days, as a span of ISO dates or as a month of any year. */
import { capitalize } from './words'

/** `from` is included, `to` is not; either may be open. ISO dates. */
export interface Period {
  readonly from?: string
  readonly to?: string
  /** A month of any year, `01` to `12`. */
  readonly month?: string
  /** Whether the span consists of whole years, so that it can limit a column that holds only a year. */
  readonly wholeYears?: boolean
  /** Whether years are named one by one, so that rows are grouped by year. */
  readonly several?: boolean
  readonly words: string
}

const months = 'january february march april may june july august september october november december'.split(
  ' ',
)
// "may" is a month only after a preposition or before a year.
const monthNames = months.join('|').replace('may', '(?<=\\b(?:in|of|during) )may|may(?= \\d{4})')
const monthPattern = new RegExp(`\\b(?:${monthNames})\\b`)
const yearPattern = /\b(?:19|20)\d\d\b/

/**
 * The ways to write a time, and how to read the milliseconds of its start and its end. Only the first that
 * occurs counts: the year of "March 2024" belongs to the month.
 */
const forms: readonly (readonly [RegExp, (found: string, year: number) => readonly [number, number]])[] = [
  [/\b\d{4}-\d\d-\d\d\b/g, (day) => [Date.parse(day), Date.parse(day) + 86_400_000]],
  [/\bq[1-4]\b/g, (found, year) => readMonths(year, Number(found[1]) * 3 - 3, 3)],
  [new RegExp(monthPattern, 'g'), (found, year) => readMonths(year, months.indexOf(found), 1)],
  [new RegExp(yearPattern, 'g'), (found) => readMonths(Number(found), 0, 12)],
]

function readMonths(year: number, first: number, count: number): readonly [number, number] {
  return [Date.UTC(year, first), Date.UTC(year, first + count)]
}

export function readPeriod(question: string): Period | undefined {
  const text = question.toLowerCase()
  const found = forms
    .map(([pattern, read]) => [...text.matchAll(pattern)].flatMap((each) => readMoment(each, text, read)))
    .find((each) => each.length > 0)
  if (found !== undefined) return joinMoments(found.sort((one, other) => (one.from < other.from ? -1 : 1)))
  const month = months.indexOf(monthPattern.exec(text)?.[0] ?? '')
  if (month < 0) return undefined
  const words = `in ${capitalize(months[month] ?? '')} of any year`
  return { month: String(month + 1).padStart(2, '0'), words }
}

interface Moment {
  readonly from: string
  readonly to: string
  readonly words: string
  /** The preposition right before it. */
  readonly preposition: string | undefined
}

/** Nothing if the year of a month or quarter is not known, or there is no such day. */
function readMoment(match: RegExpExecArray, text: string, read: (typeof forms)[number][1]): Moment[] {
  const [found] = match
  const year = (yearPattern.exec(text.slice(match.index)) ?? yearPattern.exec(text))?.[0]
  const [from, to] = read(found, Number(year)).map((each) => new Date(each))
  if (from === undefined || to === undefined || Number.isNaN(from.getTime())) return []
  const words = /^\d/.test(found) ? found : `${capitalize(found)} ${year}`
  const [, preposition] =
    /\b(since|from|after|before|until|between)\s+$/.exec(text.slice(0, match.index)) ?? []
  return [{ from: from.toISOString().slice(0, 10), to: to.toISOString().slice(0, 10), words, preposition }]
}

function joinMoments(moments: readonly Moment[]): Period | undefined {
  const [first, last] = [moments[0], moments.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const { from, to, words, preposition = '' } = first
  const wholeYears = /^\d{4}$/.test(words)
  if (last.from !== from) {
    const several = wholeYears && !moments.some((each) => /^(between|from)$/.test(each.preposition ?? ''))
    const joined = several ? `for ${words} and ${last.words}` : `from ${words} to ${last.words}`
    return { from, to: last.to, wholeYears, several, words: joined }
  }
  if (/^(since|from)$/.test(preposition)) return { from, wholeYears, words: `since ${words}` }
  if (preposition === 'after') return { from: to, wholeYears, words: `after ${words}` }
  if (/^(before|until)$/.test(preposition)) return { to: from, wholeYears, words: `before ${words}` }
  return { from, to, wholeYears, words: `${from === words ? 'on' : 'in'} ${words}` }
}

/** The question without its years, so that a follow-up can bring its own. */
export function withoutYears(question: string): string {
  return question.replace(/\b(in|since|before|after|during|for|of)?\s*\b(19|20)\d\d\b(-\d\d-\d\d)?/gi, '')
}

/** Whether a word refers to time and so cannot be a value of a column. */
export function isTimeWord(word: string): boolean {
  return months.includes(word) || /^((19|20)\d\d|q[1-4])$/.test(word)
}
