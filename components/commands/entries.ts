/** What the search lists (commands, parts, nodes, agents, runs), and which entries match a query. */
import type { Family } from '#lib/spec/kind'
import { byGroup, type Command } from './commands'

export interface Entry {
  /** The same at each visit: recent choices are stored by it. */
  readonly id: string
  readonly label: string
  /** The heading it is listed under. */
  readonly group: string
  /** What it is, for when the label alone is not enough. */
  readonly detail?: string
  readonly icon?: string
  /** Puts the icon on a tile. */
  readonly family?: Family
  /** The shortcut that does the same. */
  readonly keys?: string
  /** Further words that find it. */
  readonly words?: readonly string[]
  /** Part of the drawing: “Find on the canvas” finds it too. */
  readonly isDrawn?: boolean
  run(): void
}

export interface EntryGroup {
  readonly label: string
  readonly entries: readonly Entry[]
}

/** The commands that can run now, as entries. */
export function commandEntries(commands: readonly Command[]): Entry[] {
  return byGroup(commands)
    .filter(({ isUnlisted, canRun }) => isUnlisted !== true && (canRun?.() ?? true))
    .map((command) => ({
      id: command.id,
      label: command.label,
      group: command.group,
      icon: command.icon,
      keys: command.keys?.[0],
      run: () => command.run(),
    }))
}

/** The most rows per heading, before and after something is typed. */
const most = { idle: 8, recent: 5, found: 12, drawn: 100 }

export interface EntrySearch {
  readonly entries: readonly Entry[]
  readonly query: string
  /** Ids, newest first. */
  readonly recent: readonly string[]
  readonly isDrawnOnly: boolean
}

/**
 * The groups to show, sorted by their best match. With nothing typed: recent choices, then all groups in
 * order.
 */
export function searchEntries({ entries, query, recent, isDrawnOnly }: EntrySearch): EntryGroup[] {
  const known = isDrawnOnly ? entries.filter((each) => each.isDrawn) : entries
  const limit = isDrawnOnly ? most.drawn : query === '' ? most.idle : most.found
  if (query === '') return idle(known, isDrawnOnly ? [] : recent, limit)
  const named = rankEntries(known, (entry) => matchScore(entry, plain(query)))
  // Matching letters in order is the last resort, because almost any long text contains them.
  const found =
    named.length > 0 ? named : rankEntries(known, ({ label }) => (holdsInOrder(label, query) ? 1 : 0))
  return groupEntries(found).map((group) => cut(group, limit))
}

/** Entries with a score above 0, best first; equal scores keep their order. */
function rankEntries(entries: readonly Entry[], score: (entry: Entry) => number): Entry[] {
  return entries
    .map((entry) => ({ entry, score: score(entry) }))
    .filter((each) => each.score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
}

/**
 * 0 unless the entry contains every word of the query; highest when the label starts with the query, lowest
 * when only its other words contain it.
 */
function matchScore({ label, detail = '', words = [] }: Entry, query: string): number {
  const name = plain(label)
  if (name.startsWith(query)) return 5
  const asked = query.split(' ')
  const starts = ` ${name}`
  if (asked.every((each) => starts.includes(` ${each}`))) return 4
  if (asked.every((each) => name.includes(each))) return 3
  const all = plain(` ${label} ${detail} ${words.join(' ')}`)
  if (asked.every((each) => all.includes(` ${each}`))) return 2
  return asked.every((each) => all.includes(each)) ? 1 : 0
}

function holdsInOrder(label: string, query: string): boolean {
  const name = plain(label)
  let at = 0
  for (const sign of plain(query).replaceAll(' ', '')) {
    at = name.indexOf(sign, at) + 1
    if (at === 0) return false
  }
  return true
}

/** `sql.execute` is found by "sql execute", and the other way round. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[\s._/-]+/g, ' ')
}

function idle(entries: readonly Entry[], recent: readonly string[], limit: number): EntryGroup[] {
  const byId = new Map(entries.map((each) => [each.id, each]))
  const last = recent.flatMap((id) => byId.get(id) ?? []).slice(0, most.recent)
  const chosen = new Set(last)
  const rest = groupEntries(entries.filter((each) => !chosen.has(each))).map((group) => cut(group, limit))
  return last.length === 0 ? rest : [{ label: 'Recent', entries: last }, ...rest]
}

/** Grouped by heading, in the order of each heading's first entry. */
function groupEntries(entries: readonly Entry[]): EntryGroup[] {
  const groups = new Map<string, Entry[]>()
  for (const each of entries) {
    const known = groups.get(each.group)
    if (known === undefined) groups.set(each.group, [each])
    else known.push(each)
  }
  return [...groups].map(([label, list]) => ({ label, entries: list }))
}

function cut({ label, entries }: EntryGroup, limit: number): EntryGroup {
  return { label, entries: entries.slice(0, limit) }
}

/** The ids to store after `id` was chosen. */
export function rememberChoice(recent: readonly string[], id: string): string[] {
  return [id, ...recent.filter((each) => each !== id)].slice(0, most.recent * 2)
}
