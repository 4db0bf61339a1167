/** Pairs the entries of two lists that are the same entry: by identity, then by similarity. */
import type { JsonObject, JsonValue } from '#lib/spec/json'
import { addTo } from '#lib/spec/lists'

export interface Pair {
  readonly before: number
  readonly after: number
  /** Its order among the entries that stayed has changed. */
  readonly isMoved: boolean
}

/** Pairs in the order of `after`; entries without a pair were added or removed. */
export function pairEntries(before: readonly JsonObject[], after: readonly JsonObject[]): Pair[] {
  const pairs = new Map<number, number>()
  const taken = new Set<number>()
  const take = (left: number, right: number) => {
    pairs.set(right, left)
    taken.add(left)
  }
  for (const identity of [exactly, byName]) {
    const waiting = groupEntries(before, (index) => !taken.has(index), identity)
    after.forEach((entry, index) => {
      const key = pairs.has(index) ? undefined : identity(entry)
      const left = key === undefined ? undefined : waiting.get(key)?.shift()
      if (left !== undefined) take(left, index)
    })
  }
  const rest = groupEntries(before, (index) => !taken.has(index), byUse)
  for (const [use, rights] of groupEntries(after, (index) => !pairs.has(index), byUse)) {
    for (const [left, right] of bySimilarity(rest.get(use) ?? [], rights, { before, after }))
      take(left, right)
  }
  const found = [...pairs].map(([right, left]) => ({ before: left, after: right }))
  found.sort((a, b) => a.after - b.after)
  const kept = longestRise(found.map((each) => each.before))
  return found.map((each, index) => ({ ...each, isMoved: !kept.has(index) }))
}

type Identity = (entry: JsonObject) => string | undefined

const exactly: Identity = (entry) => JSON.stringify(entry)
const byUse: Identity = ({ use }) => String(use)

const nameKeys = ['name', 'server', 'collection', 'agent']

function byName(entry: JsonObject): string | undefined {
  const key = nameKeys.find((each) => typeof entry[each] === 'string')
  return key === undefined ? undefined : `${entry.use} ${key} ${entry[key]}`
}

function groupEntries(
  entries: readonly JsonObject[],
  isWanted: (index: number) => boolean,
  identity: Identity,
): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  entries.forEach((entry, index) => {
    const key = isWanted(index) ? identity(entry) : undefined
    if (key === undefined) return
    addTo(groups, key, index)
  })
  return groups
}

/** If more comparisons would be needed, entries are paired in order instead. */
const mostComparisons = 4_096

/** The most similar first; on a tie, those nearest the front. */
function bySimilarity(
  lefts: readonly number[],
  rights: readonly number[],
  { before, after }: { readonly before: readonly JsonObject[]; readonly after: readonly JsonObject[] },
): [number, number][] {
  const count = Math.min(lefts.length, rights.length)
  const inOrder = lefts.slice(0, count).map((left, index): [number, number] => [left, rights[index] ?? 0])
  if (count === 0 || lefts.length * rights.length === 1) return inOrder
  if (lefts.length * rights.length > mostComparisons) return inOrder
  const [own, other] = [features(lefts, before), features(rights, after)]
  const candidates = lefts.flatMap((left) =>
    rights.map((right) => ({ left, right, score: countShared(own.get(left), other.get(right)) })),
  )
  candidates.sort((a, b) => b.score - a.score || a.left + a.right - b.left - b.right)
  const used = { left: new Set<number>(), right: new Set<number>() }
  return candidates.flatMap(({ left, right }): [number, number][] => {
    if (used.left.has(left) || used.right.has(right)) return []
    used.left.add(left)
    used.right.add(right)
    return [[left, right]]
  })
}

/** The features that two versions of one entry would share: each setting, and each item of its lists. */
function features(
  indexes: readonly number[],
  entries: readonly JsonObject[],
): ReadonlyMap<number, Set<string>> {
  return new Map(indexes.map((index) => [index, featuresOf(entries[index] ?? {})]))
}

function featuresOf(entry: JsonObject): Set<string> {
  const said = (key: string, value: JsonValue) => `${key} ${JSON.stringify(value)}`
  return new Set(
    Object.entries(entry).flatMap(([key, value]) =>
      Array.isArray(value) ? value.map((each) => said(key, each)) : [said(key, value)],
    ),
  )
}

function countShared(a: Set<string> | undefined, b: Set<string> | undefined): number {
  if (a === undefined || b === undefined) return 0
  let count = 0
  for (const each of a) if (b.has(each)) count += 1
  return count
}

/** Indexes of a longest increasing subsequence of the values: the other entries have moved. */
function longestRise(values: readonly number[]): Set<number> {
  /** For each length, the index of the smallest last value of an increasing subsequence of that length. */
  const ends: number[] = []
  const previous: (number | undefined)[] = []
  values.forEach((value, index) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const half = (low + high) >> 1
      if ((values[ends[half] ?? 0] ?? 0) < value) low = half + 1
      else high = half
    }
    previous[index] = ends[low - 1]
    ends[low] = index
  })
  const kept = new Set<number>()
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) kept.add(at)
  return kept
}
