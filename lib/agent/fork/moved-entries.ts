/**
 * Events name the entries of a config by their paths. In a fork with another config, an entry may have another
 * path: the copied events get the paths of the fork's config.
 */
import type { RunEvent } from '#lib/spec/event'
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'

/** A config, and the node of each of its entries: path → node id. */
export interface DrawnConfig {
  readonly config: JsonObject
  readonly origins: Readonly<Record<string, string>>
}

/** Begins the path of an entry that the fork's config does not have, so that no other entry is taken for it. */
const removed = 'removed/'

/** Events of a sub-agent keep their paths, which are those of its own config. */
export function moveEntries(
  events: readonly RunEvent[],
  { from, to }: { from: DrawnConfig; to: DrawnConfig },
): RunEvent[] {
  const moved = movedPaths(from, to)
  return events.map((event): RunEvent => {
    if (!('node' in event) || event.node === null || event.parent !== undefined) return event
    const node = moved.get(event.node)
    return node === undefined ? event : { ...event, node }
  })
}

/**
 * The new path of each entry in a list, such as `tools/1`. An entry is the same if its node and its content
 * are; otherwise one with equal content is, and otherwise one of the same node and kind.
 */
export function movedPaths(from: DrawnConfig, to: DrawnConfig): ReadonlyMap<string, string> {
  const moved = new Map<string, string>()
  const free = new Map(entriesOf(to).map((each) => [each.path, each]))
  const isOneNode = (a: Entry, b: Entry) => a.node !== undefined && a.node === b.node
  const ways: ((a: Entry, b: Entry) => boolean)[] = [
    (a, b) => isOneNode(a, b) && a.text === b.text,
    (a, b) => a.text === b.text,
    (a, b) => isOneNode(a, b) && a.use === b.use,
  ]
  const all = entriesOf(from)
  for (const isSame of ways) {
    for (const entry of all) {
      if (moved.has(entry.path)) continue
      const found = [...free.values()].find((each) => each.list === entry.list && isSame(entry, each))
      if (found === undefined) continue
      moved.set(entry.path, found.path)
      free.delete(found.path)
    }
  }
  return new Map(all.map(({ path }) => [path, moved.get(path) ?? `${removed}${path}`]))
}

interface Entry {
  readonly list: string
  readonly path: string
  readonly node: string | undefined
  readonly use: JsonValue | undefined
  readonly text: string
}

function entriesOf({ config, origins }: DrawnConfig): Entry[] {
  return ['tools', 'policies'].flatMap((list) => {
    const entries = config[list]
    if (!Array.isArray(entries)) return []
    return entries.map((entry, index) => {
      const path = `${list}/${index}`
      return { list, path, node: origins[path], use: useOf(entry), text: JSON.stringify(entry) }
    })
  })
}

function useOf(entry: JsonValue): JsonValue | undefined {
  return isObject(entry) ? entry.use : undefined
}
