/**
 * Paths between tables by their keys: foreign keys as read, keys of the same name, and `id` with
 * `<table>_id`.
 */
import { type Column, isOwnKey, namesTable, type Table } from './schema'

export interface Join {
  readonly from: Column
  readonly to: Column
  /** True if one row on this side may match many on the other. */
  readonly fansOut: boolean
}

export interface Path {
  readonly joins: readonly Join[]
  readonly fansOut: boolean
}

export type Ways = ReadonlyMap<string, readonly Join[]>

/**
 * The joins of each table, by table name. Only a table's own key can be joined to, since other joins would
 * match unrelated rows.
 */
export function waysOf(tables: readonly Table[]): Ways {
  const ways = new Map<string, Join[]>(tables.map((each) => [each.name, []]))
  for (const owner of tables) {
    const own = owner.columns.find((each) => isOwnKey(each, owner))
    for (const table of tables) {
      if (table === owner) continue
      for (const column of table.columns) {
        const target = targetOf(column, table, { owner, own })
        if (target === undefined) continue
        ways.get(table.name)?.push({ from: column, to: target, fansOut: false })
        ways.get(owner.name)?.push({ from: target, to: column, fansOut: !isOwnKey(column, table) })
      }
    }
  }
  return ways
}

function targetOf(
  column: Column,
  table: Table,
  { owner, own }: { owner: Table; own: Column | undefined },
): Column | undefined {
  if (column.references !== undefined) {
    const { references } = column
    // One column of a two-column key would join unrelated rows.
    if (references.table !== owner.name || owner.columns.filter((each) => each.isPrimary).length > 1)
      return undefined
    return owner.columns.find((each) => each.name === references.column)
  }
  if (own === undefined) return undefined
  if (own.name.toLowerCase() === 'id') {
    const names = column.kind === 'key' && column.stems.length > 1 && column.stems.at(-1) === 'id'
    return names && namesTable(column.stems.slice(0, -1), owner) ? own : undefined
  }
  if (own.name.toLowerCase() !== column.name.toLowerCase()) return undefined
  // If two tables have the same column as their own key, they are joined once, from the alphabetically first.
  return isOwnKey(column, table) && own.table < table.name ? undefined : own
}

/**
 * The shortest paths from a table to every table it can reach, breadth first. A path that does not fan out is
 * preferred, even to a shorter one that does.
 */
export function pathsFrom(start: string, ways: Ways): Map<string, Path> {
  const found = new Map<string, Path>([[start, { joins: [], fansOut: false }]])
  for (const mayFanOut of [false, true]) {
    let edge = [...found.keys()]
    while (edge.length > 0) {
      const next: string[] = []
      for (const name of edge) {
        const path = found.get(name)
        if (path === undefined) continue
        for (const join of ways.get(name) ?? []) {
          if (found.has(join.to.table) || (join.fansOut && !mayFanOut)) continue
          found.set(join.to.table, { joins: [...path.joins, join], fansOut: path.fansOut || join.fansOut })
          next.push(join.to.table)
        }
      }
      edge = next
    }
  }
  return found
}
