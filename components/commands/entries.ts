/** What the one search lists: commands, parts, nodes, agents, runs; and which of them a query means. */
import type { Family } from '#lib/spec/kind'
import { byGroup, type Command } from './commands'

export interface Entry {
  /** Stable over visits: what was chosen last is remembered by it. */
  readonly id: string
  readonly label: string
  /** The heading it stands under. */
  readonly group: string
  /** What it is, where the label alone says too little. */
  readonly detail?: string
  readonly icon?: string
  /** Gives the icon its tile. */
  readonly family?: Family
  /** The key that does the same. */
  readonly keys?: string
  /** Found by these as well. */
  readonly words?: readonly string[]
  /** Stands on the drawing: also found by “Find on the canvas”. */
  readonly isDrawn?: boolean
  run(): void
}

export interface EntryGroup {
  readonly label: string
  readonly entries: readonly Entry[]
}

/** What can be done now, as entries. */
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

/** Rows of one heading before anything is typed, and after. */
const most = { idle: 8, recent: 5, found: 12, drawn: 100 }

export interface EntrySearch {
  readonly entries: readonly Entry[]
  readonly query: string
  /** Ids, the newest first. */
  readonly recent: readonly string[]
  readonly isDrawnOnly: boolean
}

/** The groups to show: by how well their best entry answers, or, with nothing typed, what was chosen last and then all in order. */
export function searchEntries({ entries, query, recent, isDrawnOnly }: EntrySearch): EntryGroup[] {
  const known = isDrawnOnly ? entries.filter((each) => each.isDrawn) : entries
  const limit = isDrawnOnly ? most.drawn : query === '' ? most.idle : most.found
  if (query === '') return idle(known, isDrawnOnly ? [] : recent, limit)
  const named = rankEntries(known, (entry) => likeness(entry, plain(query)))
  // Letters in their order are a last resort: they are found in almost anything long.
  const found =
    named.length > 0 ? named : rankEntries(known, ({ label }) => (holdsInOrder(label, query) ? 1 : 0))
  return groupEntries(found).map((group) => cut(group, limit))
}

/** Those with a score, the best first; equals keep their order. */
function rankEntries(entries: readonly Entry[], score: (entry: Entry) => number): Entry[] {
  return entries
    .map((entry) => ({ entry, score: score(entry) }))
    .filter((each) => each.score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
}

/** 0 unless every word of the query stands in the entry; more where the label begins with them, less where only its other words hold them. */
function likeness({ label, detail = '', words = [] }: Entry, query: string): number {
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

/** `sql.execute` is found as "sql execute" and the other way round. */
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

/** By heading, in the order of their first entries. */
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

/** The ids to remember once `id` was chosen. */
export function rememberChoice(recent: readonly string[], id: string): string[] {
  return [id, ...recent.filter((each) => each !== id)].slice(0, most.recent * 2)
}
