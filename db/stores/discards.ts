/** The store of files of removed threads that are still to be deleted. */

import { eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type { DiscardStore } from '#lib/spec/store'
import { artifacts, discards } from '../schema'

export function discardStore(db: BetterSQLite3Database): DiscardStore {
  return {
    workspaces: () =>
      db
        .select({ id: discards.id })
        .from(discards)
        .where(isNull(discards.sha256))
        .all()
        .map(({ id }) => id),
    contents: () =>
      db
        .select({ id: discards.id, sha256: sql<string>`${discards.sha256}` })
        .from(discards)
        .where(isNotNull(discards.sha256))
        .all(),
    done: (ids) => {
      // A single parameter, however many ids there are.
      db.run(
        sql`delete from ${discards} where ${discards.id} in (select value from json_each(${JSON.stringify(ids)}))`,
      )
    },
  }
}

/** Records the content of these artifacts. Call this in the transaction that deletes them. */
export function discardArtifacts(db: BetterSQLite3Database, which: SQL): void {
  db.run(
    sql`insert or ignore into ${discards} (id, sha256)
        select ${artifacts.id}, ${artifacts.sha256} from ${artifacts} where ${which}`,
  )
}

/**
 * Records the thread's files. Call this in the transaction that removes the thread, before
 * its artifacts are deleted.
 */
export function discardFiles(db: BetterSQLite3Database, threadId: string): void {
  db.run(sql`insert or ignore into ${discards} (id, sha256) values (${threadId}, null)`)
  discardArtifacts(db, eq(artifacts.threadId, threadId))
}
