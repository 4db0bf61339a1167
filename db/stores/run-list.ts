/** The list of runs: filtered, sorted, and read page by page. */

import { and, count, eq, gte, inArray, isNotNull, isNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import { AppError } from '#lib/spec/errors'
import type { RunStatus } from '#lib/spec/event'
import type { RunSort } from '#lib/spec/run-sort'
import type { Page, RunFilter } from '#lib/spec/store'
import { runs } from '../schema'
import { matchOf, searchTerms } from '../search-text'
import { pageLimit, toPage } from './cursor'
import { unfinishedStatuses } from './project'

const open: RunStatus[] = [...unfinishedStatuses]

/** The value that a list is sorted by. A run without the value comes after all others. */
const keys = {
  cost: sql<number>`coalesce(${runs.costUsd}, -1)`,
  duration: sql<number>`coalesce(${runs.durationMs}, -1)`,
  steps: sql<number>`${runs.steps}`,
} as const
const lastKeys = {
  cost: sql<number>`coalesce(${runs.costUsd}, 1e300)`,
  duration: sql<number>`coalesce(${runs.durationMs}, 9e15)`,
  steps: sql<number>`${runs.steps}`,
} as const

interface Order {
  /** Undefined for the order of creation. */
  readonly key?: SQL<number>
  readonly isRising: boolean
}

const orders: Readonly<Record<RunSort, Order>> = {
  newest: { isRising: false },
  oldest: { isRising: true },
  cost: { key: keys.cost, isRising: false },
  cost_asc: { key: lastKeys.cost, isRising: true },
  duration: { key: keys.duration, isRising: false },
  duration_asc: { key: lastKeys.duration, isRising: true },
  steps: { key: keys.steps, isRising: false },
  steps_asc: { key: lastKeys.steps, isRising: true },
}

/**
 * The numbers of the runs on one page, in order. Only these rows are then read whole: what a filter or a sort
 * looks at is in an index, and the texts of a run are not.
 */
export function pageOfRuns(db: BetterSQLite3Database, filter: RunFilter): Page<number> {
  const size = pageLimit(filter.limit)
  const sort = filter.sort ?? 'newest'
  const { key, isRising } = orders[sort]
  const direction = sql.raw(isRising ? 'asc' : 'desc')
  const rows = db.all<{ n: number; value: number }>(sql`
    select ${runs.n} as n, ${key ?? sql`0`} as value from ${runs}
    where ${and(whereOf(filter), afterCursor(filter.cursor, sort))}
    order by ${key === undefined ? sql`` : sql`${key} ${direction}, `}${runs.n} ${direction}
    limit ${size + 1}`)
  return toPage(
    rows,
    size,
    ({ n }) => n,
    ({ n, value }) => (sort === 'newest' ? String(n) : `${sort}:${value}:${n}`),
  )
}

export function countRuns(db: BetterSQLite3Database, filter: RunFilter): number {
  return db.select({ total: count() }).from(runs).where(whereOf(filter)).get()?.total ?? 0
}

/** A cursor holds its sort, since the values of one sort mean nothing in another. */
function afterCursor(cursor: string | undefined, sort: RunSort): SQL | undefined {
  if (cursor === undefined) return undefined
  const [, of = 'newest', value = '', n = ''] =
    /^(?:([a-z_]+):([-+.e\d]{1,32}):)?(\d{1,15})$/.exec(cursor) ?? []
  if (n === '' || of !== sort || Number.isNaN(Number(value)))
    throw new AppError(
      'bad_request',
      'The cursor is not valid for this list. Use the value of "next" from its previous page.',
      { path: 'cursor' },
    )
  const { key, isRising } = orders[sort]
  const sign = sql.raw(isRising ? '>' : '<')
  if (key === undefined) return sql`${runs.n} ${sign} ${Number(n)}`
  return sql`(${key}, ${runs.n}) ${sign} (${Number(value)}, ${Number(n)})`
}

function whereOf(filter: RunFilter): SQL | undefined {
  const { agentId, status, threadId, search, model, tool, feedback, failed } = filter
  const { costFrom, costTo, since, until } = filter
  return and(
    isNull(runs.removedAt),
    given(agentId, (id) => eq(runs.agentId, id)),
    given(status, (each) => eq(runs.status, each)),
    given(threadId, (id) => eq(runs.threadId, id)),
    given(search, hasWords),
    given(model, (name) => eq(runs.model, name)),
    given(tool, calledTool),
    given(feedback, (each) => (each === 'any' ? isNotNull(runs.feedback) : eq(runs.feedback, each))),
    failed === true ? sql`${runs.failedCalls} > 0` : undefined,
    given(costFrom, (usd) => gte(runs.costUsd, usd)),
    given(costTo, (usd) => lte(runs.costUsd, usd)),
    given(since, (at) => gte(runs.createdAt, at)),
    given(until, (at) => lt(runs.createdAt, at)),
  )
}

function given<T>(value: T | undefined, toCondition: (value: T) => SQL | undefined): SQL | undefined {
  return value === undefined ? undefined : toCondition(value)
}

/** Runs that have not ended are not in the index; they are few, so their texts are read. */
function hasWords(search: string): SQL {
  const terms = searchTerms(search)
  if (terms.length === 0) return sql`0`
  const words = sql`index_text(input, answer, tool_calls)`
  return sql`${runs.n} in (
    select rowid from run_words where run_words match ${matchOf(terms)}
    union all
    select n from runs where ${inArray(runs.status, open)} and ${and(...terms.map((term) => sql`instr(${words}, ${term}) > 0`))})`
}

function calledTool(name: string): SQL {
  return sql`${runs.n} in (
    select run from run_tools where name = ${name}
    union all
    select n from runs where ${inArray(runs.status, open)}
      and exists (select 1 from json_each(tool_calls) where value ->> 'name' = ${name}))`
}
