/** The rows of the outline that match what a person searches, each under the rows above it. Pure. */
import { rankFound } from '#components/commands/rank'
import type { OutlineRow } from './outline-rows'

export interface FoundRows {
  readonly rows: readonly OutlineRow[]
  /** The keys of the rows that match themselves, best first; the others only lead to one. */
  readonly found: readonly string[]
}

export function findRows(
  all: readonly OutlineRow[],
  query: string,
  /** What else is known of a row. */
  wordsOf: (row: OutlineRow) => readonly string[] = () => [],
): FoundRows {
  if (query.trim() === '') return { rows: all, found: [] }
  const matches = rankFound(
    all.filter((row) => row.node !== undefined || row.note !== undefined || row.frame !== undefined),
    query,
    (row) => ({ label: row.title, text: [row.caption, ...wordsOf(row)].join(' ') }),
  )
  const parents = new Map(all.map(({ key, parent }) => [key, parent]))
  const kept = new Set<string>()
  for (const { key } of matches)
    for (let at: string | null = key; at !== null && !kept.has(at); at = parents.get(at) ?? null) kept.add(at)
  return { rows: all.filter(({ key }) => kept.has(key)), found: matches.map(({ key }) => key) }
}
