/**
 * The store of runs, their events, and the tool schemas offered to them. Every change of a run
 * checks its status first.
 */

import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type { Artifact } from '#lib/spec/artifact'
import type { RunEvent, RunStatus } from '#lib/spec/event'
import type { Rating } from '#lib/spec/feedback'
import type { MockedTool } from '#lib/spec/mock'
import type { RunAgent } from '#lib/spec/run-agents'
import type { EventText, RunStore, RunSummaryRow } from '#lib/spec/store'
import type { SqliteConnection } from '#lib/sqlite/driver'
import type { LateSync } from '../late-sync'
import { configs, runs, snapshots, toolSchemas } from '../schema'
import { runAgents } from '../schema-agents'
import { indexText } from '../search-text'
import { appendEvents } from './append'
import { runInserts } from './insert-run'
import { prepareInsert } from './prepared-insert'
import { unfinishedStatuses } from './project'
import { countedPage, pageOfRuns } from './run-list'
import { threadLine } from './thread-line'
import { removeUnused } from './threads'

const {
  n: _n,
  indexed: _indexed,
  model: _model,
  durationMs: _durationMs,
  waitedMs: _waitedMs,
  removedAt: _removedAt,
  behind: behindColumn,
  ...stored
} = getTableColumns(runs)
const seq = sql<number>`(select coalesce(max(seq), 0) from events where run_id = runs.id)`
const given = sql<
  Artifact[] | null
>`coalesce((select json_extract(json, '$.files') from events where run_id = runs.id and seq = 1), ${behindColumn})`
const files = given.mapWith((text: string): Artifact[] => JSON.parse(text))
const behind = sql<number>`(behind is not null and status = 'queued')`
const summary = { ...stored, seq, files, behind }
const open: RunStatus[] = [...unfinishedStatuses]
/** The event types of `isDelta`, by name, so that the database can leave them out. */
const deltas: RunEvent['type'][] = ['reasoning.delta', 'text.delta', 'call.delta', 'call.progressed']
/** The number of events in one read, unless the caller gives another. */
const pageOfEvents = 500

export function runStore(client: SqliteConnection, db: BetterSQLite3Database, late: LateSync): RunStore {
  const append = appendEvents(client)
  const line = threadLine(client)
  client.function('index_text', { deterministic: true, varargs: true }, (...texts) =>
    indexText(texts.map((text) => (text === null ? null : String(text)))),
  )
  const whole = { ...summary, config: configs.config, origins: configs.origins }
  const rows = () =>
    db
      .select(whole)
      .from(runs)
      .innerJoin(snapshots, eq(snapshots.runId, runs.id))
      .innerJoin(configs, eq(configs.hash, snapshots.configHash))
  const identified = eq(runs.id, sql.placeholder('id'))
  const byId = rows()
    .where(and(identified, isNull(runs.removedAt)))
    .prepare()
  const mocks = db
    .select({ mocks: snapshots.mocks })
    .from(snapshots)
    .where(eq(snapshots.runId, sql.placeholder('id')))
    .prepare()
  const anyById = rows().where(identified).prepare()
  const places = client.prepare<
    [string],
    { threadId: string; historyThrough: string | null; messages: string | null }
  >(
    `select thread_id as threadId, history_through as historyThrough,
       case when forked_from is null then history end as messages
     from runs join snapshots on run_id = id where id = ?`,
  )
  const newest = (more?: SQL) =>
    db
      .select(summary)
      .from(runs)
      .where(and(eq(runs.threadId, sql.placeholder('threadId')), isNull(runs.removedAt), more))
      .orderBy(desc(runs.n))
      .limit(1)
      .prepare()
  const newestOfAll = newest()
  const newestBegun = newest(isNull(runs.behind))
  const history = db
    .select({ history: snapshots.history })
    .from(runs)
    .innerJoin(snapshots, eq(snapshots.runId, runs.id))
    .where(and(eq(runs.threadId, sql.placeholder('threadId')), isNotNull(runs.forkedFrom)))
    .prepare()
  // Plain SQL: drizzle reads all rows at once, but this query stops as soon as enough has been read.
  const texts = client.prepare<[string, number], EventText>(
    'select seq, type, json from events where run_id = ? and seq > ? order by seq',
  )

  const all = client.prepare<[string], EventText>(
    'select seq, type, json from events where run_id = ? order by seq',
  )
  const settled = client.prepare<[string], EventText>(
    `select seq, type, json from events
     where run_id = ? and type not in (${deltas.map((type) => `'${type}'`).join(', ')}) order by seq`,
  )
  const typed = client.prepare<[string, string], EventText>(
    `select seq, type, json from events
     where run_id = ? and type in (select value from json_each(?)) order by seq`,
  )
  const insertSchema = prepareInsert(client, toolSchemas, { names: ['hash', 'json'], conflict: 'do nothing' })
  const saveSchemas = client.transaction((schemas: readonly { hash: string; json: string }[]) => {
    for (const each of schemas) insertSchema(each)
  }).immediate

  const agents = db
    .select({
      key: runAgents.key,
      agent: runAgents.agent,
      config: configs.config,
      origins: configs.origins,
      problem: runAgents.problem,
    })
    .from(runAgents)
    .leftJoin(configs, eq(configs.hash, runAgents.configHash))
    .where(eq(runAgents.runId, sql.placeholder('runId')))
    .prepare()

  return {
    ...runInserts(client, db, late),
    agentsOf: (runId) =>
      agents.all({ runId }).map(({ key, agent, config, origins, problem }): RunAgent => {
        return agent === null || config === null || origins === null
          ? { key, problem: problem ?? '' }
          : { key, agent, config, origins }
      }),
    historyBefore: (threadId) => {
      const known = history.get({ threadId })
      return known && (known.history ?? [])
    },
    placeOf: (id) => {
      const place = places.get(id)
      if (place === undefined) return undefined
      const { messages, ...at } = place
      return { ...at, between: messages === null ? [] : JSON.parse(messages) }
    },
    newestIn: (threadId, { behind } = {}) => {
      const row = (behind === false ? newestBegun : newestOfAll).get({ threadId })
      return row && toRow(row)
    },
    tree: (root, limit) =>
      db
        .select(summary)
        .from(runs)
        .where(and(or(eq(runs.id, root), eq(runs.forkRoot, root)), isNull(runs.removedAt)))
        .orderBy(asc(runs.n))
        .limit(limit)
        .all()
        .map(toRow),
    mocksOf: (runId) => mocks.get({ id: runId })?.mocks ?? undefined,
    get: (id) => {
      const row = byId.get({ id })
      return row && toRow(row)
    },
    stored: (id) => {
      const row = anyById.get({ id })
      return row && toRow(row)
    },
    list: (filter) => {
      const { items, ...rest } = pageOfRuns(db, filter)
      return { items: rowsOf(db, items), ...rest }
    },
    listCounted: (filter) => {
      const { items, ...rest } = countedPage(db, filter)
      return { items: rowsOf(db, items), ...rest }
    },
    setFeedback: (id, feedback) =>
      db
        .update(runs)
        .set({ feedback: feedback?.rating ?? null, feedbackText: feedback?.text ?? null })
        .where(and(eq(runs.id, id), isNull(runs.removedAt)))
        .run().changes === 1,

    unfinished: () =>
      rows()
        .where(and(inArray(runs.status, open), isNull(runs.behind)))
        .orderBy(asc(runs.n))
        .all()
        .map(toRow),
    nextBehind: line.nextBehind,
    threadOf: line.threadOf,
    freeThreads: line.freeThreads,
    beginTurn: line.beginTurn,
    removeBehind: (id) => {
      const hash = line.removeBehind(id)
      if (hash !== undefined) removeUnused(db, [hash])
      return hash !== undefined
    },
    markDrained: (ids) => {
      db.update(runs)
        .set({ drained: true })
        .where(and(inArray(runs.id, [...ids]), inArray(runs.status, open)))
        .run()
    },
    markCancelling: (id) =>
      db
        .update(runs)
        .set({ cancelling: true })
        .where(and(eq(runs.id, id), inArray(runs.status, open)))
        .run().changes === 1,

    events: (runId) => all.all(runId).map(toEvent),
    settledEvents: (runId) => settled.all(runId).map(toEvent),
    eventsOfTypes: (runId, types) => typed.all(runId, JSON.stringify(types)).map(toEvent),
    eventTexts: (runId, after, limit = pageOfEvents, size = Number.POSITIVE_INFINITY) => {
      const page: EventText[] = []
      let read = 0
      for (const event of texts.iterate(runId, after)) {
        page.push(event)
        read += event.json.length
        if (page.length >= limit || read >= size) break
      }
      return page
    },
    append: (batch) => late.write(() => append(batch)),
    sync: late.sync,
    syncNow: late.syncNow,

    saveSchemas: (schemas) => {
      if (schemas.length > 0) saveSchemas(schemas)
    },
  }
}

interface Optional {
  readonly files: Artifact[] | null
  readonly behind: number
  readonly mocked: readonly MockedTool[] | null
  readonly failedCalls: number | null
  readonly feedback: Rating | null
  readonly feedbackText: string | null
  readonly user: string | null
}

/** Leaves out what the run does not have. */
function toRow<R extends Optional>({
  files,
  behind,
  mocked,
  failedCalls,
  feedback,
  feedbackText,
  user,
  ...row
}: R) {
  return {
    ...row,
    ...(files !== null && files.length > 0 && { files }),
    ...(behind === 1 && { behind: true as const }),
    ...(mocked !== null && { mocked }),
    ...(user !== null && { user }),
    ...(failedCalls !== null && failedCalls > 0 && { failedCalls }),
    ...(feedback !== null && {
      feedback: { rating: feedback, ...(feedbackText !== null && { text: feedbackText }) },
    }),
  }
}

/** The rows with these numbers, in this order. */
function rowsOf(db: BetterSQLite3Database, numbers: readonly number[]): RunSummaryRow[] {
  const found = db
    .select({ n: runs.n, ...summary })
    .from(runs)
    .where(inArray(runs.n, [...numbers]))
    .all()
  const byNumber = new Map(found.map(({ n, ...row }) => [n, toRow(row)]))
  return numbers.flatMap((n) => byNumber.get(n) ?? [])
}

function toEvent({ json }: { readonly json: string }): RunEvent {
  return JSON.parse(json) // only `append` and the inserts of runs write here, and they take events
}
