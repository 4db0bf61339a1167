/** Paths between tables by their keys: foreign keys as read, keys of the same name, and `id` with `<table>_id`. */
import type { Column, Table } from './schema'
import { areSameWords } from './words'

export interface Join {
  readonly from: Column
  readonly to: Column
  /** Whether one row on the side of `from` may match many on the other. */
  readonly fansOut: boolean
}

/** The joins from one table to each table that it can reach, by table name. */
export type Paths = ReadonlyMap<string, readonly Join[]>

/** The shortest paths. One that does not fan out is preferred, even to a shorter one that does. */
export function pathsFrom(start: Table, tables: readonly Table[]): Paths {
  const found = new Map<string, readonly Join[]>([[start.name, []]])
  // The loop also visits the tables that it adds, so it goes breadth first.
  for (const mayFanOut of [false, true])
    for (const [name, path] of found)
      for (const join of joinsOf(name, tables))
        if (!found.has(join.to.table) && (mayFanOut || !join.fansOut))
          found.set(join.to.table, [...path, join])
  return found
}

/** How far a table is: the number of joins, and much more if they fan out. */
export function distance(table: string, paths: Paths): number {
  const path = paths.get(table)
  if (path === undefined) return Number.POSITIVE_INFINITY
  return path.length + (path.some((each) => each.fansOut) ? 100 : 0)
}

function joinsOf(name: string, tables: readonly Table[]): Join[] {
  return tables.flatMap((table) =>
    table.columns.flatMap((column) =>
      tables.flatMap((owner): Join[] => {
        if (owner === table || (table.name !== name && owner.name !== name)) return []
        const key = keyMeant(column, table, owner)
        if (key === undefined) return []
        return table.name === name
          ? [{ from: column, to: key, fansOut: false }]
          : [{ from: key, to: column, fansOut: column !== table.key }]
      }),
    ),
  )
}

/** The column of `owner` that a column refers to. Only a table's key is joined to: others match unrelated rows. */
function keyMeant(column: Column, table: Table, owner: Table): Column | undefined {
  const { references, kind, stems } = column
  if (references !== undefined) {
    const isWhole = owner.columns.filter((each) => each.isPrimary).length < 2
    return references.table === owner.name && isWhole
      ? owner.columns.find((each) => each.name === references.column)
      : undefined
  }
  if (owner.key === undefined) return undefined
  const name = owner.key.name.toLowerCase()
  if (name === 'id')
    return kind === 'key' && stems.at(-1) === 'id' && areSameWords(stems.slice(0, -1), owner.stems)
      ? owner.key
      : undefined
  // If two tables have the same column as their key, they are joined once, from the alphabetically first.
  const isTwin = column === table.key && owner.name < table.name
  return name === column.name.toLowerCase() && !isTwin ? owner.key : undefined
}

/** Whether rows of a table refer to rows of another. */
export function pointsAt(table: Table, other: Table): boolean {
  return table !== other && table.columns.some((each) => keyMeant(each, table, other) !== undefined)
}
