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

interface Ranked {
  readonly n: number
  readonly value: number
}

/**
 * The numbers of the runs on one page, in order. Only these rows are then read whole: what a filter or a sort
 * looks at is in an index, and the texts of a run are not.
 */
export function pageOfRuns(db: BetterSQLite3Database, filter: RunFilter): Page<number> {
  const { sort, size, key, isRising, direction } = pageShape(filter)
  const after = given(cursorAt(filter.cursor, sort), isAfter({ n: sql`${runs.n}`, value: key, isRising }))
  const rows = db.all<Ranked>(sql`
    select ${runs.n} as n, ${key ?? sql`0`} as value from ${runs}
    where ${and(whereOf(filter), after)}
    order by ${key === undefined ? sql`` : sql`${key} ${direction}, `}${runs.n} ${direction}
    limit ${size + 1}`)
  return pageFrom(rows, size, sort)
}

type CountedPage<T> = Page<T> & { readonly total: number }

/**
 * A page, and how many runs match the filter on all pages. What matches is found once, for the page and for its
 * number: for a word that occurs in most runs, finding it is nearly all of the work.
 */
export function countedPage(db: BetterSQLite3Database, filter: RunFilter): CountedPage<number> {
  const { sort, size, key, isRising, direction } = pageShape(filter)
  const value = key === undefined ? undefined : sql`value`
  const after = given(cursorAt(filter.cursor, sort), isAfter({ n: sql`n`, value, isRising }))
  const rows = db.all<Ranked & { total: number }>(sql`
    with found as materialized (
      select ${runs.n} as n, ${key ?? sql`0`} as value from ${runs} where ${whereOf(filter)})
    select n, value, (select count(*) from found) as total from found
    where ${after ?? sql`1`} order by value ${direction}, n ${direction} limit ${size + 1}`)
  // Only a page behind the last run has no row to read the number from.
  const total = rows[0]?.total ?? (filter.cursor === undefined ? 0 : countRuns(db, filter))
  return { ...pageFrom(rows, size, sort), total }
}

function pageShape({ limit, sort = 'newest' }: RunFilter) {
  const { key, isRising } = orders[sort]
  return { sort, size: pageLimit(limit), key, isRising, direction: sql.raw(isRising ? 'asc' : 'desc') }
}

function pageFrom(rows: readonly Ranked[], size: number, sort: RunSort): Page<number> {
  const cursorOf = ({ n, value }: Ranked) => (sort === 'newest' ? String(n) : `${sort}:${value}:${n}`)
  return toPage(rows, size, ({ n }) => n, cursorOf)
}

function countRuns(db: BetterSQLite3Database, filter: RunFilter): number {
  return db.select({ total: count() }).from(runs).where(whereOf(filter)).get()?.total ?? 0
}

/** A cursor holds its sort, since the values of one sort mean nothing in another. */
function cursorAt(cursor: string | undefined, sort: RunSort): Ranked | undefined {
  if (cursor === undefined) return undefined
  const [, of = 'newest', value = '', n = ''] =
    /^(?:([a-z_]+):([-+.e\d]{1,32}):)?(\d{1,15})$/.exec(cursor) ?? []
  if (n === '' || of !== sort || Number.isNaN(Number(value)))
    throw new AppError(
      'bad_request',
      'The cursor is not valid for this list. Use the value of "next" from its previous page.',
      { path: 'cursor' },
    )
  return { n: Number(n), value: Number(value) }
}

interface Columns {
  readonly n: SQL
  /** Undefined for the order of creation. */
  readonly value: SQL | undefined
  readonly isRising: boolean
}

function isAfter({ n, value, isRising }: Columns): (at: Ranked) => SQL {
  const sign = sql.raw(isRising ? '>' : '<')
  return (at) =>
    value === undefined ? sql`${n} ${sign} ${at.n}` : sql`(${value}, ${n}) ${sign} (${at.value}, ${at.n})`
}

function whereOf(filter: RunFilter): SQL | undefined {
  const { agentId, status, threadId, search, model, tool, feedback, failed, behind } = filter
  const { costFrom, costTo, since, until } = filter
  return and(
    isNull(runs.removedAt),
    given(agentId, (id) => eq(runs.agentId, id)),
    given(status, hasStatus),
    given(threadId, (id) => eq(runs.threadId, id)),
    given(search, hasWords),
    given(model, (name) => eq(runs.model, name)),
    given(tool, calledTool),
    given(feedback, (each) => (each === 'any' ? isNotNull(runs.feedback) : eq(runs.feedback, each))),
    behind === false ? isNull(runs.behind) : undefined,
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

/**
 * The plus signs below keep SQLite from reading the row of each run that matches, with all its texts: it looks
 * through the covering index instead, which is many times smaller.
 */

/** Runs that have not ended are few, so their own index finds them. */
function hasStatus(status: RunStatus): SQL {
  return open.includes(status) ? eq(runs.status, status) : sql`+${runs.status} = ${status}`
}

/** Runs that have not ended are not in the index; they are few, so their texts are read. */
function hasWords(search: string): SQL {
  const terms = searchTerms(search)
  if (terms.length === 0) return sql`0`
  const words = sql`index_text(input, answer, tool_calls)`
  return sql`+${runs.n} in (
    select rowid from run_words where run_words match ${matchOf(terms)}
    union all
    select n from runs where ${inArray(runs.status, open)} and ${and(...terms.map((term) => sql`instr(${words}, ${term}) > 0`))})`
}

function calledTool(name: string): SQL {
  return sql`+${runs.n} in (
    select run from run_tools where name = ${name}
    union all
    select n from runs where ${inArray(runs.status, open)}
      and exists (select 1 from json_each(tool_calls) where value ->> 'name' = ${name}))`
}
