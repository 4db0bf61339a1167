/** Paths between tables by their foreign keys, from the table that has the key to the one it refers to. */
import type { Column, SqlTable } from './schema'

export interface Join {
  readonly from: Column
  readonly to: Column
}

/** The joins from one table to each table that it can reach, by table name. */
export type Paths = ReadonlyMap<string, readonly Join[]>

/** The shortest paths. None repeats a row of the first table, so figures over it stay true. */
export function pathsFrom(start: SqlTable, tables: readonly SqlTable[]): Paths {
  const found = new Map<string, readonly Join[]>([[start.name, []]])
  // The loop also visits the tables that it adds, so it goes breadth first.
  for (const [name, path] of found)
    for (const join of joinsOf(name, tables))
      if (!found.has(join.to.table)) found.set(join.to.table, [...path, join])
  return found
}

/** How many joins away a table is. */
export function distance(table: string, paths: Paths): number {
  return paths.get(table)?.length ?? Number.POSITIVE_INFINITY
}

function joinsOf(name: string, tables: readonly SqlTable[]): Join[] {
  const columns = tables.find((each) => each.name === name)?.columns ?? []
  return columns.flatMap((from) => {
    const key = tables.find((each) => each.name === from.references?.table)?.key
    return key !== undefined && key.name === from.references?.column ? [{ from, to: key }] : []
  })
}
