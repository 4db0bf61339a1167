/** What the search lists (commands, parts, nodes, agents, runs), and which entries match a query. */
import type { Family } from '#lib/spec/kind'
import { addTo } from '#lib/spec/lists'
import { byGroup, type Command } from './commands'
import { type Findable, nearestTo, rankFound } from './rank'

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
  /** Synonyms of the label. */
  readonly keywords?: readonly string[]
  /** Further words that find it; they count less than label and keywords. */
  readonly words?: readonly string[]
  /** Offered when nothing matches. */
  readonly isFallback?: boolean
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
const most = { idle: 8, recent: 5, found: 12, drawn: 100, near: 3 }

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
  const found = rankFound(known, query, readEntry)
  if (found.length === 0 && !isDrawnOnly) return nearEntries(known, query)
  return groupEntries(found).map((group) => cut(group, limit))
}

function readEntry({ label, keywords, detail = '', words = [] }: Entry): Findable {
  return { label, keywords, text: `${detail} ${words.join(' ')}` }
}

/** For a query without a match: what is most like it, and what helps whatever was meant. */
function nearEntries(known: readonly Entry[], query: string): EntryGroup[] {
  const near = nearestTo(known, query, { read: readEntry, most: most.near })
  const entries = [...near, ...known.filter((each) => each.isFallback && !near.includes(each))]
  return entries.length === 0 ? [] : [{ label: `Nothing matches “${query}”. Nearest:`, entries }]
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
    addTo(groups, each.group, each)
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
