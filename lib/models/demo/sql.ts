/** Writes a plan as one SQLite statement; every name in it was read from the database and is in double quotes. */
import type { Join } from './joins'
import { aggregates } from './measure'
import type { Group, QueryPlan, RowFilter } from './plan'
import type { Column } from './schema'

/** Undefined if rows would be counted twice and no key distinguishes them. */
export function writeSql(plan: QueryPlan): string | undefined {
  const { measure, group, table, filters, limit } = plan
  const joins = joinsOf(plan)
  const fansOut = joins.some((each) => each.fansOut)
  const steps = joins.map(
    ({ from, to }) => ` JOIN ${quote(to.table)} ON ${nameColumn(from)} = ${nameColumn(to)}`,
  )
  const where = filters.length === 0 ? '' : ` WHERE ${filters.map(writeFilter).join(' AND ')}`
  const rows = `FROM ${quote(table.name)}${steps.join('')}${where}`
  if (measure === undefined) {
    const columns = plan.columns.map(nameColumn).join(', ')
    return `SELECT ${fansOut ? 'DISTINCT ' : ''}${columns} ${rows} LIMIT ${limit}`
  }
  const { aggregate } = measure
  const amount = aggregate === 'count' ? '*' : measure.columns.map(nameColumn).join(' * ')
  const writeFigure = (of: string) => `${aggregates[aggregate].sql.replace('#', () => of)} AS value`
  const labels = group === undefined ? [] : [`${writeLabel(group)} AS label`]
  const keys = group === undefined ? [] : writeGroupKeys(group)
  // These are the same however often a row is repeated.
  if (!fansOut || aggregate === 'distinct' || aggregate === 'max' || aggregate === 'min')
    return writeSelect(plan, [...labels, writeFigure(amount)], rows, keys)
  if (table.key === undefined) return undefined
  const key = nameColumn(table.key)
  if (aggregate === 'count') return writeSelect(plan, [...labels, writeFigure(`DISTINCT ${key}`)], rows, keys)
  // Rows that match several others are taken once for each group; the figure is calculated after that.
  const groups = keys.map((each, index) => `${each} AS group_${index}`)
  const once = [`${key} AS row_key`, `${amount} AS amount`, ...labels, ...groups].join(', ')
  return writeSelect(
    plan,
    [...labels.map(() => 'label'), writeFigure('amount')],
    `FROM (SELECT DISTINCT ${once} ${rows})`,
    keys.map((_, index) => `group_${index}`),
  )
}

function writeSelect({ order, limit }: QueryPlan, shown: string[], rows: string, keys: string[]): string {
  const statement = `SELECT ${shown.join(', ')} ${rows}`
  if (keys.length === 0) return statement
  const by = order === 'label' ? 'label' : `value IS NULL, value ${order.toUpperCase()}, label`
  return `${statement} GROUP BY ${keys.join(', ')} ORDER BY ${by} LIMIT ${limit}`
}

function writeLabel({ label, part }: Group): string {
  const shown = label.map(nameColumn).join(" || ' ' || ")
  return part === undefined ? shown : `strftime('${part === 'year' ? '%Y' : '%Y-%m'}', ${shown})`
}

function writeGroupKeys(group: Group): string[] {
  if (group.part !== undefined) return [writeLabel(group)]
  return [...(group.key === undefined ? [] : [group.key]), ...group.label].map(nameColumn)
}

/** The joins on the paths to the tables of its group and filters, each once. */
export function joinsOf({ group, filters, paths }: QueryPlan): Join[] {
  const named = [...(group?.label ?? []), ...filters.map((each) => each.column)]
  const joins = named.flatMap((each) => paths.get(each.table) ?? [])
  return [...new Map(joins.map((each) => [each.to.table, each])).values()]
}

function writeFilter(filter: RowFilter): string {
  const column = nameColumn(filter.column)
  switch (filter.type) {
    case 'equals':
      return `${column} COLLATE NOCASE IN (${filter.values.map(quoteText).join(', ')})`
    case 'flag':
      return filter.set ? `${column} = 1` : `COALESCE(${column}, 0) = 0`
    case 'period': {
      const { from, to, month } = filter.period
      if (month !== undefined) return `strftime('%m', ${column}) = '${month}'`
      const time = (day: string) => (filter.column.kind === 'year' ? day.slice(0, 4) : quoteText(day))
      const start = from === undefined ? [] : [`${column} >= ${time(from)}`]
      const end = to === undefined ? [] : [`${column} < ${time(to)}`]
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
