/** Turns the rows of a plan's query into an answer: the figure in one sentence, then how it was found. */
import type { JsonValue } from '#lib/spec/json'
import { aggregates, type Measure } from './measure'
import type { Rows } from './observation'
import type { QueryPlan, RowFilter } from './plan'
import { joinsOf } from './sql'
import { capitalize, formatNumber, joinWithAnd, spellName } from './words'

export function sayAnswer(plan: QueryPlan, rows: Rows): string {
  // The notes come before the figure, so that it is not taken for the full answer.
  return `${[...plan.notes, sayFinding(plan, rows)].join(' ')}\n\n${sayMethod(plan)}`
}

function sayFinding(plan: QueryPlan, read: Rows): string {
  const { measure, group } = plan
  const where = plan.filters.map(sayFilter).join('')
  if (group === undefined) return sayFigure(measure, read.rows[0]?.[0] ?? null, where)
  const shown = read.rows.map(([label = null, value = null]) => ({
    label: label === null || label === '' ? '(none)' : String(label),
    value: formatValue(value),
  }))
  if (shown.length === 0) return `There are no rows for that${where}.`
  if (plan.lead) return sayLeader(plan, measure, shown, where)
  const order = { label: '', asc: ', lowest first', desc: ', highest first' }[plan.order]
  const more = shown.length >= plan.limit ? ` (the first ${plan.limit})` : ''
  const lines = shown.map((each) => `- ${each.label}: ${each.value}`).join('\n')
  return `${capitalize(measure.words)} by ${group.words}${where}${order}${more}:\n${lines}`
}

interface LabelledValue {
  readonly label: string
  readonly value: string
}

function sayLeader(
  { order }: QueryPlan,
  { aggregate, words }: Measure,
  shown: readonly LabelledValue[],
  where: string,
): string {
  const isCount = aggregate === 'count' || aggregate === 'distinct'
  const [low, high] = isCount ? ['fewest', 'most'] : ['lowest', 'highest']
  const what = `${order === 'asc' ? low : high} ${words.replace(/^(highest|lowest) /, '')}${where}`
  const same = shown.filter((each) => each.value === shown[0]?.value)
  const others = shown.slice(same.length, same.length + 2).map((each) => `${each.label} (${each.value})`)
  const after = order === 'asc' ? 'then' : 'ahead of'
  const behind = others.length === 0 ? '' : `, ${after} ${joinWithAnd(others)}`
  const leaders = joinWithAnd(same.map((each) => each.label))
  return `${leaders} ${same.length > 1 ? 'share' : 'has'} the ${what}: ${shown[0]?.value}${behind}.`
}

function sayFigure(measure: Measure, value: JsonValue, where: string): string {
  if (value === null) return `There are no rows for that${where}, so there is no figure.`
  const { aggregate, words } = measure
  const shown = formatValue(value)
  if (aggregate !== 'count' && aggregate !== 'distinct') return `The ${words}${where} is ${shown}.`
  return `There ${aggregate === 'count' && shown === '1' ? 'is' : 'are'} ${shown} ${words}${where}.`
}

function formatValue(value: JsonValue): string {
  if (value === null) return 'none'
  return typeof value === 'number' ? formatNumber(value) : String(value)
}

/** For example " where country is Germany". What a revenue leaves out is part of how it was found. */
function sayFilter(filter: RowFilter): string {
  const name = filter.column.name
  if (filter.type === 'period') return ` ${filter.period.words}`
  if (filter.type === 'unset') return ''
  const { values } = filter
  return ` where ${spellName(name)} is ${values.length > 1 ? 'one of ' : ''}${joinWithAnd(values)}`
}

function sayMethod(plan: QueryPlan): string {
  const { group, filters } = plan
  const { aggregate, columns, table } = plan.measure
  const verb = aggregates[aggregate].method.replace('#', () => columns.map((each) => each.name).join(' × '))
  const joined = joinsOf(plan).map((each) => each.to.table)
  const tables = joined.length === 0 ? table.name : `${table.name} joined with ${joinWithAnd(joined)}`
  const limits = filters.map((each) => {
    const { name, table } = each.column
    if (each.type === 'period') return `, ${each.period.words} by ${table}.${name}`
    if (each.type === 'equals') return ''
    return `, without rows where ${name} is set`
  })
  const grouped = group === undefined ? '' : `, grouped by ${group.words}`
  return `How I got there: from the names I read I built one query that ${verb} ${tables}${grouped}${limits.join('')}.`
}
