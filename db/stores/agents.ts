/** Agents and their published versions. */

import { and, asc, desc, eq, getTableColumns, ne, sql } from 'drizzle-orm'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import { emptyGraph, graphDocument } from '#lib/spec/graph'
import type { AgentRow, AgentStore, VersionRow } from '#lib/spec/store'
import { agents, versions } from '../schema'

/** Texts as they stand: one row that does not parse must not take the others along. */
const columns = {
  ...getTableColumns(agents),
  graph: sql<string>`${agents.graph}`,
  origins: sql<string>`${agents.origins}`,
}

export function agentStore(db: BetterSQLite3Database): AgentStore {
  const all = db.select(columns).from(agents).orderBy(asc(agents.name)).prepare()
  const byId = db
    .select(columns)
    .from(agents)
    .where(eq(agents.id, sql.placeholder('id')))
    .prepare()
  const byName = db
    .select(columns)
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

interface AgentTexts extends Omit<typeof agents.$inferSelect, 'graph' | 'origins'> {
  readonly graph: string
  readonly origins: string
}

// Parsing fills in what drawings saved by an older version lack.
function readAgent({ graph, origins, ...row }: AgentTexts): AgentRow {
  try {
    return { ...row, graph: graphDocument.parse(JSON.parse(graph)), origins: JSON.parse(origins) }
  } catch {
    const problem = 'The stored drawing can not be read by this version of Loopwright.'
    return { ...row, graph: emptyGraph, origins: {}, config: null, configHash: null, problem }
  }
}

function readVersion(row: typeof versions.$inferSelect): VersionRow {
  return { ...row, graph: graphDocument.parse(row.graph) }
}
