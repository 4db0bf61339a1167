/**
 * The store of runs, their events, and the tool schemas offered to them. Every change of a run
 * checks its status first.
 */

import { and, asc, eq, getTableColumns, inArray, isNotNull, isNull, notInArray, or, sql } from 'drizzle-orm'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type { Artifact } from '#lib/spec/artifact'
import type { RunEvent, RunStatus } from '#lib/spec/event'
import type { Rating } from '#lib/spec/feedback'
import type { EventText, RunRow, RunStore, RunSummaryRow, ThreadRow } from '#lib/spec/store'
import type { SqliteConnection } from '#lib/sqlite/driver'
import { configs, events, runs, snapshots, threads, toolSchemas } from '../schema'
import { indexText } from '../search-text'
import { hashOfStart } from '../start-hash'
import { appendEvents } from './append'
import { unfinishedStatuses } from './project'
import { countRuns, pageOfRuns } from './run-list'
import { laterUse } from './threads'

const {
  n: _n,
  indexed: _indexed,
  model: _model,
  durationMs: _durationMs,
  waitedMs: _waitedMs,
  removedAt: _removedAt,
  ...stored
} = getTableColumns(runs)
const seq = sql<number>`(select coalesce(max(seq), 0) from events where run_id = runs.id)`
const given = sql<
  Artifact[] | null
>`(select json_extract(json, '$.files') from events where run_id = runs.id and seq = 1)`
const files = given.mapWith((text: string): Artifact[] => JSON.parse(text))
const summary = { ...stored, seq, files }
const open: RunStatus[] = [...unfinishedStatuses]
/** The event types of `isDelta`, by name, so that the database can leave them out. */
const deltas: RunEvent['type'][] = ['reasoning.delta', 'text.delta', 'call.delta', 'call.progressed']
/** The number of events in one read, unless the caller gives another. */
const pageOfEvents = 500

export function runStore(client: SqliteConnection, db: BetterSQLite3Database): RunStore {
  const append = appendEvents(client)
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
  const anyById = rows().where(identified).prepare()
  const between = db
    .select({ history: snapshots.history })
    .from(runs)
    .innerJoin(snapshots, eq(snapshots.runId, runs.id))
    .where(and(identified, isNull(runs.forkedFrom)))
    .prepare()
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

  return {
    insert: (row, queued, thread) => insertRun(db, row, queued, thread),
    insertFork: (row, from) => insertFork(db, row, from),
    historyBefore: (threadId) => {
      const known = history.get({ threadId })
      return known && (known.history ?? [])
    },
    historyBetween: (id) => between.get({ id })?.history ?? [],
    tree: (root, limit) =>
      db
        .select(summary)
        .from(runs)
        .where(and(or(eq(runs.id, root), eq(runs.forkRoot, root)), isNull(runs.removedAt)))
        .orderBy(asc(runs.n))
        .limit(limit)
        .all()
        .map(toRow),
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
    count: (filter) => countRuns(db, filter),
    setFeedback: (id, feedback) =>
      db
        .update(runs)
        .set({ feedback: feedback?.rating ?? null, feedbackText: feedback?.text ?? null })
        .where(and(eq(runs.id, id), isNull(runs.removedAt)))
        .run().changes === 1,

    unfinished: () => rows().where(inArray(runs.status, open)).orderBy(asc(runs.n)).all().map(toRow),
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

    events: (runId) => readEvents(db, runId, []),
    settledEvents: (runId) => readEvents(db, runId, deltas),
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
    append,

    saveSchemas: (schemas) => {
      if (schemas.length > 0)
        db.insert(toolSchemas)
          .values([...schemas])
          .onConflictDoNothing()
          .run()
    },
  }
}

interface Optional {
  readonly files: Artifact[] | null
  readonly failedCalls: number | null
  readonly feedback: Rating | null
  readonly feedbackText: string | null
}

/** Leaves out what the run does not have. */
function toRow<R extends Optional>({ files, failedCalls, feedback, feedbackText, ...row }: R) {
  return {
    ...row,
    ...(files !== null && { files }),
    ...(failedCalls !== null && failedCalls > 0 && { failedCalls }),
    ...(feedback !== null && {
      feedback: { rating: feedback, ...(feedbackText !== null && { text: feedbackText }) },
    }),
  }
}

/** Stores what a run starts from unless it is already stored, and returns its hash. */
function storeStart(
  db: Pick<BetterSQLite3Database, 'insert'>,
  { config, origins }: Pick<RunRow, 'config' | 'origins'>,
): string {
  const hash = hashOfStart(config, JSON.stringify(origins))
  db.insert(configs).values({ hash, config, origins }).onConflictDoNothing().run()
  return hash
}

/** What the table of runs holds of a new run; the rest is in other tables or is filled in later. */
function columnsOf({
  config: _config,
  origins: _origins,
  seq: _seq,
  files: _files,
  failedCalls: _failed,
  feedback: _feedback,
  ...columns
}: RunRow) {
  return columns
}

function insertRun(
  db: BetterSQLite3Database,
  row: RunRow,
  queued: RunEvent,
  thread: ThreadRow | undefined,
): boolean {
  const { config, origins } = row
  return db.transaction(
    (tx) => {
      const busy = and(eq(runs.threadId, row.threadId), inArray(runs.status, open))
      if (tx.select({ id: runs.id }).from(runs).where(busy).get() !== undefined) return false
      if (thread !== undefined)
        tx.insert(threads)
          .values(thread)
          .onConflictDoUpdate({ target: threads.id, set: { title: thread.title } })
          .run()
      tx.insert(runs).values(columnsOf(row)).run()
      tx.insert(snapshots)
        .values({ runId: row.id, configHash: storeStart(tx, { config, origins }) })
        .run()
      tx.insert(events)
        .values({ runId: row.id, seq: queued.seq, type: queued.type, json: JSON.stringify(queued) })
        .run()
      tx.update(threads)
        .set({ updatedAt: laterUse(row.createdAt) })
        .where(eq(threads.id, row.threadId))
        .run()
      return true
    },
    { behavior: 'immediate' },
  )
}

function insertFork(
  db: BetterSQLite3Database,
  row: RunRow,
  { events: taken, thread, history }: Parameters<RunStore['insertFork']>[1],
): void {
  const { config, origins } = row
  db.transaction(
    (tx) => {
      tx.insert(threads)
        .values({ ...thread, updatedAt: laterUse(thread.updatedAt) })
        .run()
      tx.insert(runs).values(columnsOf(row)).run()
      tx.insert(snapshots)
        .values({
          runId: row.id,
          configHash: storeStart(tx, { config, origins }),
          history: history.length === 0 ? null : history,
        })
        .run()
      const insert = tx
        .insert(events)
        .values({
          runId: row.id,
          seq: sql.placeholder('seq'),
          type: sql.placeholder('type'),
          json: sql.placeholder('json'),
        })
        .prepare()
      for (const event of taken) insert.run({ seq: event.seq, type: event.type, json: JSON.stringify(event) })
    },
    { behavior: 'immediate' },
  )
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

function readEvents(
  db: BetterSQLite3Database,
  runId: string,
  without: readonly RunEvent['type'][],
): RunEvent[] {
  return db
    .select({ json: events.json })
    .from(events)
    .where(
      and(eq(events.runId, runId), without.length === 0 ? undefined : notInArray(events.type, [...without])),
    )
    .orderBy(asc(events.seq))
    .all()
    .map(({ json }) => JSON.parse(json) as RunEvent) // cast: only `append` and `insert` write here, and they take events
}
