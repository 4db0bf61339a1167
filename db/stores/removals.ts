/**
 * The store of deleted runs: hidden at first, so that they can be restored, and then purged with everything that
 * nothing else needs.
 */

import { and, desc, eq, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type { Earlier } from '#lib/spec/event'
import type { Message } from '#lib/spec/message'
import type { RemovalStore } from '#lib/spec/removal'
import { artifacts, events, runs, snapshots, threads } from '../schema'
import { runAgents } from '../schema-agents'
import { discardArtifacts } from './discards'
import { unfinishedStatuses } from './project'
import { calledHashes, removeThread, removeUnused } from './threads'

type Row = Pick<
  typeof runs.$inferSelect,
  'id' | 'threadId' | 'historyThrough' | 'forkedFrom' | 'forkRoot' | 'toolCalls'
>

const columns = {
  id: runs.id,
  threadId: runs.threadId,
  historyThrough: runs.historyThrough,
  forkedFrom: runs.forkedFrom,
  forkRoot: runs.forkRoot,
  toolCalls: runs.toolCalls,
}

export function removalStore(db: BetterSQLite3Database): RemovalStore {
  return {
    remove: (ids, at) =>
      db.transaction(
        (tx) => {
          const known = tx
            .select({ ...columns, status: runs.status })
            .from(runs)
            .where(and(inArray(runs.id, [...ids]), isNull(runs.removedAt)))
            .all()
          const removed = known.filter(({ status }) => !unfinishedStatuses.has(status))
          for (const row of removed) keepEarlier(db, row)
          const gone = removed.map(({ id }) => id)
          if (gone.length > 0) tx.update(runs).set({ removedAt: at }).where(inArray(runs.id, gone)).run()
          const unfinished = known.filter(({ status }) => unfinishedStatuses.has(status)).map(({ id }) => id)
          return { removed: gone, unfinished }
        },
        { behavior: 'immediate' },
      ),

    restore: (ids) =>
      db
        .update(runs)
        .set({ removedAt: null })
        .where(and(inArray(runs.id, [...ids]), isNotNull(runs.removedAt)))
        .returning({ id: runs.id })
        .all()
        .map(({ id }) => id),

    waiting: () =>
      db
        .select({ id: runs.id })
        .from(runs)
        .where(isNotNull(runs.removedAt))
        .orderBy(desc(runs.n))
        .all()
        .map(({ id }) => id),

    isContinued: (id) =>
      db
        .select({ id: runs.id })
        .from(runs)
        .where(and(eq(runs.historyThrough, id), eq(runs.threadId, threadOf(id))))
        .get() !== undefined,

    purge: (id, dialogue) =>
      db.transaction(
        () => {
          const row = db
            .select(columns)
            .from(runs)
            .where(and(eq(runs.id, id), isNotNull(runs.removedAt)))
            .get()
          if (row === undefined) return {}
          const other = db
            .select({ id: runs.id })
            .from(runs)
            .where(and(eq(runs.threadId, row.threadId), ne(runs.id, id)))
            .get()
          if (other === undefined) {
            removeThread(db, row.threadId)
            return { threadId: row.threadId }
          }
          bequeath(db, row, dialogue)
          releaseFiles(db, row)
          const started = startOf(db, id)
          db.delete(runs).where(eq(runs.id, id)).run()
          removeUnused(db, started)
          return {}
        },
        { behavior: 'immediate' },
      ),
  }

  /** Only runs of the same thread continue a dialogue; a fork has its own copy of it. */
  function threadOf(id: string) {
    return sql`(select thread_id from runs where id = ${id})`
  }
}

/**
 * The thread remembers which tools the run used and whether it was given files: what they left in the workspace
 * stays there.
 */
function keepEarlier(db: BetterSQLite3Database, { id, threadId, toolCalls }: Row): void {
  const thread = db.select({ earlier: threads.earlier }).from(threads).where(eq(threads.id, threadId)).get()
  const first = db.get<{ earlier: string | null; files: string | null }>(
    sql`select json ->> 'earlier' as earlier, json ->> 'files' as files from ${events} where run_id = ${id} and seq = 1`,
  )
  const own: Earlier[] = [
    {
      tools: toolCalls.map(({ name, scopeName = name }) => scopeName),
      files: (first?.files ?? null) !== null,
    },
  ]
  if (first?.earlier) own.push(JSON.parse(first.earlier))
  if (thread?.earlier) own.push(thread.earlier)
  const tools = [...new Set(own.flatMap((each) => each.tools))]
  db.update(threads)
    .set({ earlier: { tools, files: own.some(({ files }) => files) } })
    .where(eq(threads.id, threadId))
    .run()
}

/** The runs that continue from this one get its part of the dialogue, so that their requests stay as they were. */
function bequeath(db: BetterSQLite3Database, row: Row, dialogue: readonly Message[]): void {
  const before = historyIn(db, row.id)
  const heirs = db
    .select({ id: runs.id })
    .from(runs)
    .where(and(eq(runs.historyThrough, row.id), eq(runs.threadId, row.threadId)))
    .all()
  for (const { id } of heirs) {
    const history = [...before, ...dialogue, ...historyIn(db, id)]
    db.update(snapshots).set({ history }).where(eq(snapshots.runId, id)).run()
    // The dialogue before a fork is whole: nothing comes before it.
    const historyThrough = row.forkedFrom === null ? row.historyThrough : null
    db.update(runs).set({ historyThrough }).where(eq(runs.id, id)).run()
  }
}

function historyIn(db: BetterSQLite3Database, runId: string): readonly Message[] {
  const found = db
    .select({ history: snapshots.history })
    .from(snapshots)
    .where(eq(snapshots.runId, runId))
    .get()
  return found?.history ?? []
}

/**
 * Files that the run made stay if another run may name them: forks copy events, and later runs of the thread
 * may repeat a file's id. The others are discarded.
 */
function releaseFiles(db: BetterSQLite3Database, { id, threadId, forkRoot }: Row): void {
  const made = db.select({ id: artifacts.id }).from(artifacts).where(eq(artifacts.runId, id)).all()
  if (made.length === 0) return
  const root = forkRoot ?? id
  const relative = db.get<{ threadId: string }>(sql`
    select thread_id as threadId from ${runs}
    where (fork_root = ${root} or id = ${root}) and id <> ${id} and thread_id <> ${threadId} limit 1`)
  const named = relative === undefined ? namesIn(db, { id, threadId }) : undefined
  for (const each of made) {
    const ofFile = eq(artifacts.id, each.id)
    if (relative !== undefined)
      db.update(artifacts).set({ threadId: relative.threadId, runId: null }).where(ofFile).run()
    else if (named?.has(each.id)) db.update(artifacts).set({ runId: null }).where(ofFile).run()
  }
  discardArtifacts(db, eq(artifacts.runId, id))
}

/** The artifacts that other runs of the thread name, read in one walk over their events. */
function namesIn(db: BetterSQLite3Database, { id, threadId }: Pick<Row, 'id' | 'threadId'>): Set<string> {
  const names = new Set<string>()
  const others = db
    .select({ id: runs.id })
    .from(runs)
    .where(and(eq(runs.threadId, threadId), ne(runs.id, id)))
    .all()
  for (const other of others) {
    const texts = db.all<{ json: string }>(
      sql`select json from ${events} where run_id = ${other.id} and type not like '%.delta' and instr(json, 'artifact_') > 0`,
    )
    for (const text of [JSON.stringify(historyIn(db, other.id)), ...texts.map(({ json }) => json)])
      for (const [name] of text.matchAll(/artifact_[0-9a-f]{20}/g)) names.add(name)
  }
  return names
}

function startOf(db: BetterSQLite3Database, runId: string): string[] {
  return db
    .select({ hash: snapshots.configHash })
    .from(snapshots)
    .where(eq(snapshots.runId, runId))
    .all()
    .map(({ hash }) => hash)
    .concat(calledHashes(db, eq(runAgents.runId, runId)))
}
