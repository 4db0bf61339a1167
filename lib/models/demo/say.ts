/** Turns the rows of a plan's query into an answer: the figure in one sentence, then how it was found. */
import type { JsonValue } from '#lib/spec/json'
import type { Measure } from './measure'
import type { Rows } from './observation'
import type { QueryPlan } from './plan'
import { tablesRead } from './sql'
import { capital, figure, listed, nameWords } from './words'

export function say(plan: QueryPlan, rows: Rows): string {
  // The notes come before the figure, so that it is not taken for the full answer.
  return [[...plan.notes, finding(plan, rows)].join(' '), how(plan)].join('\n\n')
}

function finding(plan: QueryPlan, { columns, rows }: Rows): string {
  const { measure, group } = plan
  if (measure === undefined) return listing(plan, { columns, rows })
  if (group === undefined) return single(plan, measure, rows[0]?.[0] ?? null)
  const shown = rows.map(([label = null, value = null]) => ({
    label: label === null || label === '' ? '(none)' : String(label),
    value: amount(measure, value),
  }))
  const [first] = shown
  if (first === undefined) return `There are no rows for that${limit(plan)}.`
  if (plan.lead) return leading(plan, measure, shown)
  const order = plan.order === 'label' ? '' : plan.order === 'asc' ? ', lowest first' : ', highest first'
  const more = rows.length >= plan.limit ? ` (the first ${plan.limit})` : ''
  return `${capital(measure.words)} by ${group.words}${limit(plan)}${order}${more}:\n${shown.map((each) => `- ${each.label}: ${each.value}`).join('\n')}`
}

interface Shown {
  readonly label: string
  readonly value: string
}

function leading(plan: QueryPlan, measure: Measure, shown: readonly Shown[]): string {
  const counts = measure.aggregate === 'count' || measure.aggregate === 'distinct'
  const degree = plan.order === 'asc' ? (counts ? 'fewest' : 'lowest') : counts ? 'most' : 'highest'
  const what = measure.words.replace(/^(highest|lowest) /, '')
  const same = shown.filter((each) => each.value === shown[0]?.value)
  const others = shown.slice(same.length, same.length + 2)
  const names = listed(same.map((each) => each.label))
  const verb = same.length > 1 ? 'share' : 'has'
  const after =
    others.length === 0
      ? ''
      : `, ${plan.order === 'asc' ? 'then' : 'ahead of'} ${listed(others.map((each) => `${each.label} (${each.value})`))}`
  return `${names} ${verb} the ${degree} ${what}${limit(plan)}: ${shown[0]?.value}${after}.`
}

function single(plan: QueryPlan, measure: Measure, value: JsonValue): string {
  if (value === null) return `There are no rows for that${limit(plan)}, so there is no figure.`
  const shown = amount(measure, value)
  if (measure.aggregate === 'count')
    return `There ${shown === '1' ? 'is' : 'are'} ${shown} ${measure.words}${limit(plan)}.`
  if (measure.aggregate === 'distinct') return `There are ${shown} ${measure.words}${limit(plan)}.`
  return `The ${measure.words}${limit(plan)} is ${shown}.`
}

function amount(measure: Measure, value: JsonValue): string {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && value.trim() !== ''
        ? Number(value)
        : Number.NaN
  if (Number.isNaN(number)) return value === null ? 'none' : String(value)
  return measure.aggregate === 'share' ? `${figure(number)}%` : figure(number)
}

function listing(plan: QueryPlan, { columns, rows }: Rows): string {
  if (rows.length === 0) return `There are no rows of ${plan.table.name}${limit(plan)}.`
  const lines = rows.map(
    (row) => `- ${row.map((each) => (each === null ? 'none' : String(each))).join(' · ')}`,
  )
  const head =
    rows.length >= plan.limit
      ? `The first ${rows.length} rows`
      : rows.length === 1
        ? 'The one row'
        : `The ${rows.length} rows`
  return `${head} of ${plan.table.name}${limit(plan)} (${columns.join(' · ')}):\n${lines.join('\n')}`
}

/**
 * For example " where country is Germany in 2024", or nothing. What a revenue leaves out is part of how it
 * was found.
 */
function limit({ filters }: QueryPlan): string {
  return filters
    .map((each) => {
      if (each.type === 'flag') return each.set ? ` with ${each.column.name}` : ''
      if (each.type === 'equals')
        return ` where ${nameWords(each.column.name)} is ${each.values.length > 1 ? 'one of ' : ''}${listed(each.values)}`
      return each.type === 'period' ? ` ${each.period.words}` : ''
    })
    .join('')
}

function how(plan: QueryPlan): string {
  const { group, measure, filters } = plan
  const [first = '', ...joined] = tablesRead(plan)
  const where = joined.length === 0 ? first : `${first} joined with ${listed(joined)}`
  const parts = [`${measure === undefined ? 'read rows of' : verb(measure)} ${where}`]
  if (group !== undefined) parts.push(`grouped by ${group.words}`)
  for (const each of filters) {
    if (each.type === 'flag')
      parts.push(
        each.set ? `only where ${each.column.name} is set` : `without rows where ${each.column.name} is set`,
      )
    if (each.type === 'period') parts.push(`${each.period.words} by ${each.column.table}.${each.column.name}`)
  }
  return `How I got there: from the names I read I built one query that ${parts.join(', ')}.`
}

function verb({ aggregate, columns }: Measure): string {
  const value = columns.map((each) => each.name).join(' × ')
  switch (aggregate) {
    case 'count':
      return 'counted the rows of'
    case 'distinct':
      return `counted the different values of ${value} in`
    case 'sum':
      return `added up ${value} over`
    case 'avg':
      return `averaged ${value} over`
    case 'max':
      return `took the highest ${value} of`
    case 'min':
      return `took the lowest ${value} of`
    case 'share':
      return `figured the percentage of ${value} in`
  }
  return aggregate satisfies never
}
