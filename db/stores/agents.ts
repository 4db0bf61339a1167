/** Agents and their published versions. */

import { and, asc, desc, eq, ne, sql } from 'drizzle-orm'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import { graphDocument } from '#lib/spec/graph'
import type { AgentRow, AgentStore, VersionRow } from '#lib/spec/store'
import { agents, versions } from '../schema'

export function agentStore(db: BetterSQLite3Database): AgentStore {
  const all = db.select().from(agents).orderBy(asc(agents.name)).prepare()
  const byId = db
    .select()
    .from(agents)
    .where(eq(agents.id, sql.placeholder('id')))
    .prepare()
  const byName = db
    .select()
    .from(agents)
    .where(eq(agents.name, sql.placeholder('name')))
    .prepare()

  const newest = db
    .select({ agentId: versions.agentId, version: sql<number>`max(${versions.version})` })
    .from(versions)
    .groupBy(versions.agentId)
    .prepare()

  return {
    list: () => all.all().map(readAgent),
    get: (id) => one(byId.get({ id }), readAgent),
    byName: (name) => one(byName.get({ name }), readAgent),
    insert: (row) =>
      db.insert(agents).values(row).onConflictDoNothing({ target: agents.name }).run().changes === 1,

    update: (row) =>
      db.transaction(
        (tx) => {
          const stored = tx
            .select({ revision: agents.revision })
            .from(agents)
            .where(eq(agents.id, row.id))
            .get()
          if (stored === undefined) return 'missing'
          if (stored.revision !== row.revision - 1) return 'stale'
          const other = tx
            .select({ id: agents.id })
            .from(agents)
            .where(and(eq(agents.name, row.name), ne(agents.id, row.id)))
            .get()
          if (other !== undefined) return 'name_taken'
          tx.update(agents).set(row).where(eq(agents.id, row.id)).run()
          return 'saved'
        },
        { behavior: 'immediate' },
      ),

    remove: (id) => db.delete(agents).where(eq(agents.id, id)).run().changes === 1,

    versions: (agentId) =>
      db
        .select()
        .from(versions)
        .where(eq(versions.agentId, agentId))
        .orderBy(desc(versions.version))
        .all()
        .map(readVersion),
    version: (agentId, version) =>
      one(
        db
          .select()
          .from(versions)
          .where(and(eq(versions.agentId, agentId), eq(versions.version, version)))
          .get(),
        readVersion,
      ),
    newestVersions: () => new Map(newest.all().map((row) => [row.agentId, row.version])),
    insertVersion: (row) => {
      db.insert(versions).values(row).run()
    },
  }
}

function one<R, T>(row: R | undefined, read: (row: R) => T): T | undefined {
  return row === undefined ? undefined : read(row)
}

// Parsing fills in what drawings saved by an older version lack.
function readAgent(row: typeof agents.$inferSelect): AgentRow {
  return { ...row, graph: graphDocument.parse(row.graph) }
}

function readVersion(row: typeof versions.$inferSelect): VersionRow {
  return { ...row, graph: graphDocument.parse(row.graph) }
}
