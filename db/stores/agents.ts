/** The store of agents and their published versions. */

import { and, asc, desc, eq, getTableColumns, isNotNull, isNull, lt, ne, sql } from 'drizzle-orm'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import { emptyGraph, graphDocument } from '#lib/spec/graph'
import type { AgentRow, AgentStore, VersionRow } from '#lib/spec/store'
import { agents, versions } from '../schema'

/** Columns are read as raw text, so that one row that cannot be parsed does not make the others fail. */
const { removedAt: _removedAt, ...kept } = getTableColumns(agents)
const { graph: _graph, config: _config, origins: _origins, ...head } = kept
const columns = {
  ...kept,
  graph: sql<string>`${agents.graph}`,
  origins: sql<string>`${agents.origins}`,
}

export function agentStore(db: BetterSQLite3Database): AgentStore {
  const stands = isNull(agents.removedAt)
  const named = eq(agents.name, sql.placeholder('name'))
  const identified = eq(agents.id, sql.placeholder('id'))
  const rows = () => db.select(columns).from(agents)
  const heads = db.select(head).from(agents).where(stands).orderBy(asc(agents.name)).prepare()
  const byId = rows().where(and(identified, stands)).prepare()
  const byName = rows().where(and(named, stands)).prepare()
  const runnable = db
    .select({
      id: agents.id,
      name: agents.name,
      config: agents.config,
      configHash: agents.configHash,
      origins: columns.origins,
      revision: agents.revision,
    })
    .from(agents)
    .where(and(identified, stands))
    .prepare()
  /** The newest revision of each agent whose drawing this version can read. */
  const readable = new Map<string, number>()
  const removedById = rows()
    .where(and(identified, isNotNull(agents.removedAt)))
    .prepare()

  const newest = db
    .select({ agentId: versions.agentId, version: sql<number>`max(${versions.version})` })
    .from(versions)
    .groupBy(versions.agentId)
    .prepare()
  // The index has all that is asked of versions, so that their rows, which may be long, are not read.
  const versionKeys = db
    .select({ agentId: versions.agentId, version: versions.version, name: agents.name })
    .from(versions)
    .innerJoin(agents, eq(agents.id, versions.agentId))
    .where(stands)
    .orderBy(asc(agents.name), desc(versions.version))
    .prepare()
  const configWith = db
    .select({ config: versions.config })
    .from(versions)
    .where(
      and(
        eq(versions.agentId, sql.placeholder('agentId')),
        eq(versions.version, sql.placeholder('version')),
        sql`instr(${versions.config}, ${sql.placeholder('text')}) > 0`,
      ),
    )
    .prepare()

  return {
    heads: () => heads.all(),
    get: (id) => one(byId.get({ id }), readAgent),
    runnable: (id) => {
      const row = runnable.get({ id })
      if (row === undefined) return undefined
      const { revision, origins, ...rest } = row
      if (readable.get(id) === revision) return { ...rest, origins: JSON.parse(origins) }
      const whole = one(byId.get({ id }), readAgent)
      if (whole !== undefined && whole.problem === undefined) readable.set(id, revision)
      return whole
    },
    byName: (name) => one(byName.get({ name }), readAgent),
    hasName: (name) => isTaken(db, { id: '', name }),
    insert: (row) =>
      db.transaction((tx) => !isTaken(tx, row) && tx.insert(agents).values(row).run().changes === 1, {
        behavior: 'immediate',
      }),

    update: (row) =>
      db.transaction(
        (tx) => {
          const stored = tx
            .select({ revision: agents.revision })
            .from(agents)
            .where(and(eq(agents.id, row.id), stands))
            .get()
          if (stored === undefined) return 'missing'
          if (stored.revision !== row.revision - 1) return 'stale'
          if (isTaken(tx, row)) return 'name_taken'
          tx.update(agents).set(row).where(eq(agents.id, row.id)).run()
          return 'saved'
        },
        { behavior: 'immediate' },
      ),

    remove: (id, at) =>
      db
        .update(agents)
        .set({ removedAt: at })
        .where(and(eq(agents.id, id), stands))
        .run().changes === 1,
    removed: (id) => one(removedById.get({ id }), readAgent),
    bringBack: (id, change) =>
      db.transaction(
        (tx) => {
          const stored = removedById.get({ id })
          if (stored === undefined) return 'missing'
          if (isTaken(tx, { id, name: change?.name ?? stored.name })) return 'name_taken'
          tx.update(agents)
            .set({ ...change, removedAt: null })
            .where(eq(agents.id, id))
            .run()
          return 'saved'
        },
        { behavior: 'immediate' },
      ),
    purge: (before) => db.delete(agents).where(lt(agents.removedAt, before)).run().changes,

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
    newestVersion: (agentId) =>
      db
        .select({ version: versions.version })
        .from(versions)
        .where(eq(versions.agentId, agentId))
        .orderBy(desc(versions.version))
        .limit(1)
        .get()?.version,
    newestVersions: () => new Map(newest.all().map((row) => [row.agentId, row.version])),
    versionKeys: () => versionKeys.all(),
    configWith: (agentId, version, text) => configWith.get({ agentId, version, text })?.config,
    insertVersion: (row) => {
      db.insert(versions).values(row).run()
    },
  }
}

/** Whether another agent that is not removed has this name. */
function isTaken(
  db: Pick<BetterSQLite3Database, 'select'>,
  { id, name }: Pick<AgentRow, 'id' | 'name'>,
): boolean {
  const other = db
    .select({ id: agents.id })
    .from(agents)
    .where(and(eq(agents.name, name), ne(agents.id, id), isNull(agents.removedAt)))
    .get()
  return other !== undefined
}

function one<R, T>(row: R | undefined, read: (row: R) => T): T | undefined {
  return row === undefined ? undefined : read(row)
}

interface AgentTexts extends Omit<typeof agents.$inferSelect, 'graph' | 'origins' | 'removedAt'> {
  readonly graph: string
  readonly origins: string
}

// Parsing adds the fields that drawings saved by an older version lack.
function readAgent({ graph, origins, ...row }: AgentTexts): AgentRow {
  try {
    return { ...row, graph: graphDocument.parse(JSON.parse(graph)), origins: JSON.parse(origins) }
  } catch {
    const problem = 'The stored drawing cannot be read by this version of Loopwright.'
    return { ...row, graph: emptyGraph, origins: {}, config: null, configHash: null, problem }
  }
}

function readVersion(row: typeof versions.$inferSelect): VersionRow {
  return { ...row, graph: graphDocument.parse(row.graph) }
}
