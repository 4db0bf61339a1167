/** The store of kept files of threads and runs: their names and the hashes of their contents. */

import { and, asc, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type { ArtifactRow, ArtifactStore } from '#lib/spec/store'
import { artifacts, fileDescriptions } from '../schema'

const { n: _n, ...stored } = getTableColumns(artifacts)

function rowOf({ picture, ...row }: Omit<typeof artifacts.$inferSelect, 'n'>): ArtifactRow {
  return picture === null ? row : { ...row, picture }
}

export function artifactStore(db: BetterSQLite3Database): ArtifactStore {
  const byId = db
    .select(stored)
    .from(artifacts)
    .where(eq(artifacts.id, sql.placeholder('id')))
    .prepare()
  const byRun = db
    .select(stored)
    .from(artifacts)
    .where(eq(artifacts.runId, sql.placeholder('runId')))
    .orderBy(asc(artifacts.n))
    .prepare()
  const size = db
    .select({ bytes: sql<number>`coalesce(sum(${artifacts.bytes}), 0)` })
    .from(artifacts)
    .where(eq(artifacts.threadId, sql.placeholder('threadId')))
    .prepare()
  const behind = db
    .select({
      found: sql<number>`coalesce(max(${artifacts.runId} is null), 0)`,
      last: sql<number>`coalesce(max(${artifacts.n}), 0)`,
    })
    .from(artifacts)
    .where(and(eq(artifacts.threadId, sql.placeholder('threadId')), gt(artifacts.n, sql.placeholder('row'))))
    .prepare()
  const described = db
    .select({ path: fileDescriptions.path, description: fileDescriptions.description })
    .from(fileDescriptions)
    .where(eq(fileDescriptions.threadId, sql.placeholder('threadId')))
    .prepare()
  const content = db
    .select({ id: artifacts.id })
    .from(artifacts)
    .where(eq(artifacts.sha256, sql.placeholder('sha256')))
    .limit(1)
    .prepare()

  return {
    insert: (row) => {
      db.insert(artifacts).values(row).run()
    },
    get: (id) => {
      const row = byId.get({ id })
      return row && rowOf(row)
    },
    ofRun: (runId) => byRun.all({ runId }).map(rowOf),
    bytesOf: (threadId) => size.get({ threadId })?.bytes ?? 0,
    uploadsBehind: (threadId, row) => {
      const { found = 0, last = 0 } = behind.get({ threadId, row }) ?? {}
      return { found: found === 1, last: Math.max(row, last) }
    },
    descriptions: (threadId) =>
      new Map(described.all({ threadId }).map(({ path, description }) => [path, description])),
    describe: (threadId, path, description) => {
      const { threadId: thread, path: file } = fileDescriptions
      if (description === '')
        db.delete(fileDescriptions)
          .where(and(eq(thread, threadId), eq(file, path)))
          .run()
      else
        db.insert(fileDescriptions)
          .values({ threadId, path, description })
          .onConflictDoUpdate({ target: [thread, file], set: { description } })
          .run()
    },
    copyDescriptions: (from, to) => {
      const rows = described.all({ threadId: from })
      if (rows.length > 0)
        db.insert(fileDescriptions)
          .values(rows.map((each) => ({ ...each, threadId: to })))
          .run()
    },
    hasContent: (sha256) => content.get({ sha256 }) !== undefined,
    holders: (after, limit) =>
      db
        .select({ n: artifacts.n, id: artifacts.id, sha256: artifacts.sha256 })
        .from(artifacts)
        .where(gt(artifacts.n, after))
        .orderBy(asc(artifacts.n))
        .limit(limit)
        .all(),
  }
}
