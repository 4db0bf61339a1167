/** Writes a plan as one SQLite statement; every name in it was read from the database and is in double quotes. */
import type { Join } from './joins'
import { aggregates } from './measure'
import type { Group, QueryPlan, RowFilter } from './plan'
import type { Column } from './schema'

export function writeSql(plan: QueryPlan): string {
  const { group, filters, limit, order } = plan
  const { aggregate, columns, table } = plan.measure
  const joins = joinsOf(plan).map(
    ({ from, to }) => ` JOIN ${quote(to.table)} ON ${nameColumn(from)} = ${nameColumn(to)}`,
  )
  const where = filters.length === 0 ? '' : ` WHERE ${filters.map(writeFilter).join(' AND ')}`
  const rows = `FROM ${quote(table.name)}${joins.join('')}${where}`
  const amount = aggregate === 'count' ? '*' : columns.map(nameColumn).join(' * ')
  const figure = `${aggregates[aggregate].sql.replace('#', () => amount)} AS value`
  if (group === undefined) return `SELECT ${figure} ${rows}`
  const label = writeLabel(group)
  const keys = [...(group.key === undefined ? [] : [nameColumn(group.key)]), label].join(', ')
  const by = order === 'label' ? 'label' : `value IS NULL, value ${order.toUpperCase()}, label`
  return `SELECT ${label} AS label, ${figure} ${rows} GROUP BY ${keys} ORDER BY ${by} LIMIT ${limit}`
}

function writeLabel({ label, part }: Group): string {
  const shown = nameColumn(label)
  return part === undefined ? shown : `strftime('${part === 'year' ? '%Y' : '%Y-%m'}', ${shown})`
}

/** The joins on the paths to the tables of its group and filters, each once. */
export function joinsOf({ group, filters, paths }: QueryPlan): Join[] {
  const named = [...(group === undefined ? [] : [group.label]), ...filters.map((each) => each.column)]
  const joins = named.flatMap((each) => paths.get(each.table) ?? [])
  return [...new Map(joins.map((each) => [each.to.table, each])).values()]
}

function writeFilter(filter: RowFilter): string {
  const column = nameColumn(filter.column)
  switch (filter.type) {
    case 'equals':
      return `${column} COLLATE NOCASE IN (${filter.values.map(quoteText).join(', ')})`
    case 'unset':
      return `COALESCE(${column}, 0) = 0`
    case 'period': {
      const { from, to } = filter.period
      const start = from === undefined ? [] : [`${column} >= ${quoteText(from)}`]
      const end = to === undefined ? [] : [`${column} < ${quoteText(to)}`]
      return [...start, ...end].join(' AND ')
    }
  }
  return filter satisfies never
}

/** A query for the text columns that contain the values: one row for each value and column that match. */
export function writeProbe(values: readonly string[], columns: readonly Column[]): string {
  const parts = values.flatMap((value, index) =>
    columns.map(
      (each, at) =>
        `SELECT ${index} AS value_no, ${at} AS column_no, COUNT(*) AS hits FROM ${quote(each.table)} WHERE ${nameColumn(each)} = ${quoteText(value)} COLLATE NOCASE`,
    ),
  )
  return `SELECT value_no, column_no, hits FROM (${parts.join(' UNION ALL ')}) WHERE hits > 0 ORDER BY value_no, hits DESC`
}

function nameColumn({ table, name }: Column): string {
  return `${quote(table)}.${quote(name)}`
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function quoteText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}
