/** Finds where a question names a table or a column that the demo has read. */
import type { Column, Table } from './schema'
import { isFiller, nameStems, sameWord, type Word } from './words'

export interface Mention {
  /** The index of its first word. */
  readonly at: number
  readonly length: number
  readonly table: Table
  /** Absent if the table itself is named. */
  readonly column?: Column
  /** Higher for whole names than for parts of one. */
  readonly weight: number
}

/** Parts of names that are too vague to name a column alone. */
const vague = new Set(
  'id key code no number nr date day time is has was name type of at on in to the and a total value year month status list'.split(
    ' ',
  ),
)

/** All mentions, in the order of the words; the strongest first if several begin at the same word. */
export function mentionsOf(words: readonly Word[], tables: readonly Table[]): Mention[] {
  const found: Mention[] = []
  words.forEach((word, at) => {
    if (word.quoted) return
    for (const table of tables) {
      found.push(...ofTable(words, at, table))
      for (const column of table.columns) found.push(...ofColumn(words, at, { table, column }))
    }
  })
  return found.sort((one, other) => one.at - other.at || other.weight - one.weight)
}

function ofTable(words: readonly Word[], at: number, table: Table): Mention[] {
  const { stems } = table
  if (matches(words, at, stems)) return [{ at, length: stems.length, table, weight: stems.length * 2 + 1 }]
  const last = stems.at(-1) ?? ''
  return stems.length > 1 && !vague.has(last) && matches(words, at, [last])
    ? [{ at, length: 1, table, weight: 1 }]
    : []
}

function ofColumn(
  words: readonly Word[],
  at: number,
  { table, column }: { table: Table; column: Column },
): Mention[] {
  if (column.kind === 'key') return []
  const stems =
    column.kind === 'flag'
      ? column.stems.filter((each) => !['is', 'has', 'was'].includes(each))
      : column.stems
  if (stems.length > 0 && matches(words, at, stems))
    return [{ at, length: stems.length, table, column, weight: stems.length * 2 }]
  // The last meaningful word says what the column has: `unit_price` is a price, `admitted_on` the time of
  // admission.
  const head = stems.findLast((each) => !vague.has(each))
  return stems.length > 1 && head !== undefined && matches(words, at, [head])
    ? [{ at, length: 1, table, column, weight: 1 }]
    : []
}

function matches(words: readonly Word[], at: number, stems: readonly string[]): boolean {
  return stems.every((each, index) => {
    const word = words[at + index]
    return word !== undefined && !word.quoted && sameWord(word.stem, each)
  })
}

/** Mentions that begin at this word, or after filler words; the strongest first. */
export function mentionsAt(at: number, words: readonly Word[], mentions: readonly Mention[]): Mention[] {
  for (let index = at; index < words.length && index < at + 4; index++) {
    const here = mentions.filter((each) => each.at === index)
    // "invoice line" means lines, not invoices.
    if (here.length > 0) return here.filter((each) => each.length === here[0]?.length)
    if (!isFiller(words[index]?.stem ?? '')) return []
  }
  return []
}

/** The tables that a question most likely needs, best first: those whose names share a word with it. */
export function likelyTables(words: readonly Word[], names: readonly string[]): string[] {
  const score = (name: string) =>
    nameStems(name).filter((each) => words.some((word) => sameWord(word.stem, each))).length
  return names
    .map((name) => ({ name, score: score(name) }))
    .sort((one, other) => other.score - one.score)
    .map((each) => each.name)
}
