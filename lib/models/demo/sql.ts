/**
 * Writes a plan as one SQLite statement; every name in it was read from the database and is in double quotes.
 */

import type { RowFilter } from './filters'
import type { Join } from './joins'
import type { Measure } from './measure'
import type { Group, QueryPlan } from './plan'
import { type Column, isOwnKey } from './schema'

/** Undefined if rows would be counted twice and no key distinguishes them. */
export function sqlOf(plan: QueryPlan): string | undefined {
  const { from, fansOut } = joined(plan)
  const where = plan.filters.length === 0 ? '' : ` WHERE ${plan.filters.map(condition).join(' AND ')}`
  const { measure, group } = plan
  if (measure === undefined) {
    const distinct = fansOut ? 'DISTINCT ' : ''
    return `SELECT ${distinct}${plan.columns.map(column).join(', ')} FROM ${from}${where} LIMIT ${plan.limit}`
  }
  const key = plan.table.columns.find((each) => isOwnKey(each, plan.table))
  if (fansOut && key === undefined && (measure.aggregate === 'count' || isAdded(measure))) return undefined
  if (fansOut && key !== undefined && isAdded(measure))
    return onceEach(plan, { key, source: `${from}${where}` })
  const value = figureOf(measure, fansOut ? key : undefined)
  if (group === undefined) return `SELECT ${value} AS value FROM ${from}${where}`
  return `SELECT ${labelOf(group)} AS label, ${value} AS value FROM ${from}${where} GROUP BY ${groupKeys(group).join(', ')}${tail(plan)}`
}

/** Rows that match several others are counted once for each group; the figure is calculated after that. */
function onceEach(plan: QueryPlan, { key, source }: { key: Column; source: string }): string | undefined {
  const { measure, group } = plan
  if (measure === undefined) return undefined
  const row = `${product(measure)} AS amount`
  const outer =
    measure.aggregate === 'share' ? '100.0 * AVG(amount)' : `${measure.aggregate.toUpperCase()}(amount)`
  if (group === undefined)
    return `SELECT ${outer} AS value FROM (SELECT DISTINCT ${column(key)} AS row_key, ${row} FROM ${source})`
  const keys = groupKeys(group)
  const inner = [
    `${column(key)} AS row_key`,
    row,
    `${labelOf(group)} AS label`,
    ...keys.map((each, index) => `${each} AS group_${index}`),
  ]
  const by = keys.map((_, index) => `group_${index}`).join(', ')
  return `SELECT label, ${outer} AS value FROM (SELECT DISTINCT ${inner.join(', ')} FROM ${source}) GROUP BY ${by}${tail(plan)}`
}

function isAdded({ aggregate }: Measure): boolean {
  return aggregate === 'sum' || aggregate === 'avg' || aggregate === 'share'
}

function figureOf(measure: Measure, once: Column | undefined): string {
  switch (measure.aggregate) {
    case 'count':
      return once === undefined ? 'COUNT(*)' : `COUNT(DISTINCT ${column(once)})`
    case 'distinct':
      return `COUNT(DISTINCT ${product(measure)})`
    case 'share':
      return `100.0 * AVG(${product(measure)})`
    case 'sum':
    case 'avg':
    case 'max':
    case 'min':
      return `${measure.aggregate.toUpperCase()}(${product(measure)})`
  }
  return measure.aggregate satisfies never
}

function product({ columns }: Measure): string {
  return columns.map(column).join(' * ')
}

function labelOf({ label, part }: Group): string {
  const [first] = label
  if (part !== undefined && first !== undefined)
    return `strftime('${part === 'year' ? '%Y' : '%Y-%m'}', ${column(first)})`
  return label.map(column).join(" || ' ' || ")
}

function groupKeys(group: Group): string[] {
  return group.part === undefined ? group.by.map(column) : [labelOf(group)]
}

function tail({ order, limit }: QueryPlan): string {
  const by = order === 'label' ? 'label' : `value IS NULL, value ${order === 'asc' ? 'ASC' : 'DESC'}, label`
  return ` ORDER BY ${by} LIMIT ${limit}`
}

/** The plan's table with the joins on the paths to every other table it names, each join once. */
function joined({ table, group, filters, measure, paths }: QueryPlan): { from: string; fansOut: boolean } {
  const named = [
    ...(group?.by ?? []),
    ...filters.map((each) => each.column),
    ...(measure?.columns ?? []),
  ].map((each) => each.table)
  const joins = new Map<string, Join>()
  let fansOut = false
  for (const name of new Set(named)) {
    const path = paths.get(name)
    if (path === undefined) continue
    fansOut ||= path.fansOut
    for (const join of path.joins) joins.set(join.to.table, join)
  }
  const steps = [...joins.values()].map(
    (each) => ` JOIN ${quote(each.to.table)} ON ${column(each.from)} = ${column(each.to)}`,
  )
  return { from: `${quote(table.name)}${steps.join('')}`, fansOut }
}

/** The tables that the statement reads, in the order of its joins. */
export function tablesRead({ table, group, filters, paths }: QueryPlan): string[] {
  const named = [...(group?.by ?? []), ...filters.map((each) => each.column)].flatMap(
    (each) => paths.get(each.table)?.joins ?? [],
  )
  return [...new Set([table.name, ...named.map((each) => each.to.table)])]
}

function condition(filter: RowFilter): string {
  switch (filter.type) {
    case 'equals':
      return `${column(filter.column)} COLLATE NOCASE IN (${filter.values.map(literal).join(', ')})`
    case 'flag':
      return filter.set ? `${column(filter.column)} = 1` : `COALESCE(${column(filter.column)}, 0) = 0`
    case 'period':
      return during(filter)
  }
  return filter satisfies never
}

function during({ column: at, period }: Extract<RowFilter, { type: 'period' }>): string {
  const name = column(at)
  if (period.month !== undefined) return `strftime('%m', ${name}) = '${period.month}'`
  const [from, to] =
    at.kind === 'year'
      ? [period.years?.from, period.years?.to]
      : [period.from && literal(period.from), period.to && literal(period.to)]
  const bounds = [
    from === undefined ? [] : `${name} >= ${from}`,
    to === undefined ? [] : `${name} < ${to}`,
  ].flat()
  return bounds.length === 0 ? '1 = 1' : bounds.join(' AND ')
}

/** A query for the text columns that contain the values: one row for each value and column that match. */
export function probeSql(values: readonly string[], columns: readonly Column[]): string {
  const parts = values.flatMap((value, index) =>
    columns.map(
      (each, at) =>
        `SELECT ${index} AS value_no, ${at} AS column_no, COUNT(*) AS hits FROM ${quote(each.table)} WHERE ${column(each)} = ${literal(value)} COLLATE NOCASE`,
    ),
  )
  return `SELECT value_no, column_no, hits FROM (${parts.join(' UNION ALL ')}) WHERE hits > 0 ORDER BY value_no, hits DESC`
}

function column(each: Column): string {
  return `${quote(each.table)}.${quote(each.name)}`
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function literal(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}
