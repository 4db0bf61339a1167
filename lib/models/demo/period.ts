/**
 * Times in a question: years, months, quarters and days, as a span of ISO dates or as a month of any year.
 */

import { capital } from './words'

/** `from` is included, `to` is not; either may be open. ISO dates. */
export interface Period {
  readonly from?: string
  readonly to?: string
  /** A month of any year, `01` to `12`. */
  readonly month?: string
  /** Set if the span consists of whole years, for columns that hold only a year. */
  readonly years?: { readonly from?: number; readonly to?: number }
  /** Whether years are named one by one, so that rows are grouped by year. */
  readonly several: boolean
  readonly words: string
}

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

/** The month, not the verb. */
const mayPattern = '\\b(in|of|during) may\\b|\\bmay \\d{4}'

const yearPattern = /\b(?:19|20)\d\d\b/g

export function periodIn(question: string): Period | undefined {
  const text = question.toLowerCase()
  return days(text) ?? quarter(text) ?? monthIn(text) ?? yearsIn(text)
}

/** The question without its times, so that a follow-up can bring its own. */
export function withoutYears(question: string): string {
  return question.replace(/\b(in|since|before|after|during|for|of)?\s*\b(19|20)\d\d\b(-\d\d-\d\d)?/gi, '')
}

/** Whether a word refers to time and so cannot be a value of a column. */
export function isTimeWord(word: string): boolean {
  return months.includes(word) || /^(19|20)\d\d$/.test(word) || /^q[1-4]$/.test(word)
}

function days(text: string): Period | undefined {
  const [first, second] = [...text.matchAll(/\b\d{4}-\d{2}-\d{2}\b/g)].map(([each]) => each)
  if (first === undefined || !isDay(first)) return undefined
  if (second !== undefined && isDay(second))
    return { from: first, to: dayAfter(second), several: false, words: `from ${first} to ${second}` }
  if (/\b(since|from)\s+\d{4}-/.test(text)) return { from: first, several: false, words: `since ${first}` }
  if (/\bafter\s+\d{4}-/.test(text)) return { from: dayAfter(first), several: false, words: `after ${first}` }
  if (/\b(before|until)\s+\d{4}-/.test(text)) return { to: first, several: false, words: `before ${first}` }
  return { from: first, to: dayAfter(first), several: false, words: `on ${first}` }
}

function isDay(text: string): boolean {
  return !Number.isNaN(Date.parse(text))
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
}

function quarter(text: string): Period | undefined {
  const found = /\bq([1-4])\b/.exec(text)?.[1]
  const year = text.match(yearPattern)?.[0]
  if (found === undefined || year === undefined) return undefined
  const start = (Number(found) - 1) * 3
  return { ...span(Number(year), start, 3), several: false, words: `in Q${found} ${year}` }
}

function monthIn(text: string): Period | undefined {
  const month = months.find((each) => new RegExp(each === 'may' ? mayPattern : `\\b${each}\\b`).test(text))
  if (month === undefined) return undefined
  const at = months.indexOf(month)
  const name = capital(month)
  const year = text.match(yearPattern)?.[0]
  if (year === undefined)
    return { month: String(at + 1).padStart(2, '0'), several: false, words: `in ${name} of any year` }
  return { ...span(Number(year), at, 1), several: false, words: `in ${name} ${year}` }
}

function span(year: number, month: number, length: number): { from: string; to: string } {
  const at = (index: number) =>
    `${year + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`
  return { from: at(month), to: at(month + length) }
}

function yearsIn(text: string): Period | undefined {
  const named = [...new Set((text.match(yearPattern) ?? []).map(Number))].sort((one, other) => one - other)
  const [first, last = first] = [named[0], named.at(-1)]
  if (first === undefined || last === undefined) return undefined
  if (named.length === 1 && /\b(since|from)\s+\d{4}/.test(text))
    return ofYears({ from: first }, `since ${first}`)
  if (named.length === 1 && /\bafter\s+\d{4}/.test(text))
    return ofYears({ from: first + 1 }, `after ${first}`)
  if (named.length === 1 && /\b(before|until)\s+\d{4}/.test(text))
    return ofYears({ to: first }, `before ${first}`)
  if (named.length === 1) return ofYears({ from: first, to: first + 1 }, `in ${first}`)
  const range = /\b(between|from)\s+\d{4}/.test(text)
  return {
    ...ofYears(
      { from: first, to: last + 1 },
      `${range ? 'from' : 'for'} ${first} ${range ? 'to' : 'and'} ${last}`,
    ),
    several: !range,
  }
}

function ofYears(years: { from?: number; to?: number }, words: string): Period {
  return {
    ...(years.from === undefined ? {} : { from: `${years.from}-01-01` }),
    ...(years.to === undefined ? {} : { to: `${years.to}-01-01` }),
    years,
    several: false,
    words,
  }
}
