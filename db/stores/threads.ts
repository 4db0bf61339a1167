/** The store of threads: dialogues of many runs. */

import {
  and,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNull,
  notExists,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type { ThreadFilter, ThreadRow, ThreadStore } from '#lib/spec/store'
import { artifacts, configs, runs, snapshots, threads } from '../schema'
import { runAgents } from '../schema-agents'
import { keyThreads } from '../schema-keys'
import { pageLimit, readCursor, toPage } from './cursor'
import { discardFiles } from './discards'
import { unfinishedStatuses } from './project'
import { isNoTrial } from './trials'

const { earlier: _earlier, ...stored } = getTableColumns(threads)
const cursorPattern = /^(\d{1,15})\.(\w{1,64})$/

export function threadStore(db: BetterSQLite3Database): ThreadStore {
  const byId = db
    .select(stored)
    .from(threads)
    .where(eq(threads.id, sql.placeholder('id')))
    .prepare()
  const busy = db
    .select({ id: runs.id })
    .from(runs)
    .where(and(eq(runs.threadId, sql.placeholder('id')), inArray(runs.status, [...unfinishedStatuses])))
    .prepare()

  return {
    insert: (row) => {
      db.insert(threads).values(row).run()
    },
    get: (id) => {
      const row = byId.get({ id })
      return row && threadOf(row)
    },
    rename: (id, title) => db.update(threads).set({ title }).where(eq(threads.id, id)).run().changes === 1,

    list: ({ agentId, purpose, keyId, cursor, limit }) => {
      const size = pageLimit(limit)
      const rows = db
        .select(stored)
        .from(threads)
        .where(
          and(
            agentId === undefined ? undefined : eq(threads.agentId, agentId),
            ofPurpose(purpose),
            ofKey(db, keyId),
            isNoTrial,
            cursor === undefined ? undefined : after(cursor),
          ),
        )
        .orderBy(desc(threads.updatedAt), desc(threads.id))
        .limit(size + 1)
        .all()
      return toPage(rows, size, threadOf, (row) => `${row.updatedAt}.${row.id}`)
    },

    remove: (id) =>
      db.transaction(
        () => {
          if (busy.get({ id }) !== undefined) return 'busy'
          if (byId.get({ id }) === undefined) return 'missing'
          removeThread(db, id)
          return 'removed'
        },
        { behavior: 'immediate' },
      ),
    earlier: (id) =>
      db.select({ earlier: threads.earlier }).from(threads).where(eq(threads.id, id)).get()?.earlier ??
      undefined,
  }
}

/** Removes the thread with everything in it, and records its files. Call this in a transaction. */
export function removeThread(db: BetterSQLite3Database, id: string): void {
  handOver(db, id)
  discardFiles(db, id)
  const started = startsOf(db, id)
  db.delete(threads).where(eq(threads.id, id)).run()
  removeUnused(db, started)
}

function threadOf({ purpose, ...row }: Omit<typeof threads.$inferSelect, 'earlier'>): ThreadRow {
  return { ...row, ...(purpose !== null && { purpose }) }
}

function ofPurpose(purpose: ThreadFilter['purpose']): SQL | undefined {
  if (purpose === undefined) return undefined
  return purpose === 'test' ? eq(threads.purpose, 'test') : isNull(threads.purpose)
}

function ofKey(db: BetterSQLite3Database, keyId: string | undefined): SQL | undefined {
  if (keyId === undefined) return undefined
  const own = db.select({ id: keyThreads.threadId }).from(keyThreads).where(eq(keyThreads.keyId, keyId))
  return inArray(threads.id, own)
}

/**
 * The time of a use. It is always later than every earlier use, so that the last used thread comes first even
 * if the clock was set back.
 */
export function laterUse(at: number | Placeholder): SQL {
  return sql`max(${at}, coalesce((select max(${threads.updatedAt}) from ${threads}), 0) + 1)`
}

/** The hashes of what the thread's runs started from. */
function startsOf(db: BetterSQLite3Database, threadId: string): string[] {
  const own = db
    .selectDistinct({ hash: snapshots.configHash })
    .from(snapshots)
    .innerJoin(runs, eq(runs.id, snapshots.runId))
    .where(eq(runs.threadId, threadId))
    .all()
  return [...new Set([...own.map(({ hash }) => hash), ...calledHashes(db, eq(runs.threadId, threadId))])]
}

/** The hashes of the configs of agents that runs may call. */
export function calledHashes(db: BetterSQLite3Database, which: SQL): string[] {
  return db
    .selectDistinct({ hash: runAgents.configHash })
    .from(runAgents)
    .innerJoin(runs, eq(runs.id, runAgents.runId))
    .where(which)
    .all()
    .flatMap(({ hash }) => hash ?? [])
}

/** Deletes those of these configs that no run refers to any more. */
export function removeUnused(db: BetterSQLite3Database, hashes: readonly string[]): void {
  const used = db
    .select({ hash: snapshots.configHash })
    .from(snapshots)
    .where(eq(snapshots.configHash, configs.hash))
  const called = db
    .select({ hash: runAgents.configHash })
    .from(runAgents)
    .where(eq(runAgents.configHash, configs.hash))
  for (const hash of hashes)
    db.delete(configs)
      .where(and(eq(configs.hash, hash), notExists(used), notExists(called)))
      .run()
}

function after(cursor: string) {
  const [, updatedAt, id] = readCursor(cursor, cursorPattern)
  return sql`(${threads.updatedAt}, ${threads.id}) < (${Number(updatedAt)}, ${id})`
}

/**
 * If another thread continues from a run of this thread (a fork), it refers to this thread's files by id, so
 * the files are moved to it.
 */
function handOver(db: BetterSQLite3Database, threadId: string): void {
  const heirs = db.all<{ runId: string; heir: string }>(sql`
    select own.id as runId, min(other.thread_id) as heir
    from runs own join runs other on other.fork_root = coalesce(own.fork_root, own.id) or other.id = own.fork_root
    where own.thread_id = ${threadId} and other.thread_id <> ${threadId}
    group by own.id`)
  const [first] = heirs
  if (first === undefined) return
  for (const { runId, heir } of heirs)
    db.update(artifacts).set({ threadId: heir, runId: null }).where(eq(artifacts.runId, runId)).run()
  db.update(artifacts)
    .set({ threadId: first.heir })
    .where(and(eq(artifacts.threadId, threadId), isNull(artifacts.runId)))
    .run()
}
