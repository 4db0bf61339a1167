/** The store of agent keys, and of the threads and runs that were begun with them. */

import { and, desc, eq } from 'drizzle-orm'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type { AgentKeyStore } from '#lib/spec/agent-key'
import type { SqliteConnection } from '#lib/sqlite/driver'
import { agentKeys, keyRuns, keyThreads } from '../schema-keys'

export function agentKeyStore(client: SqliteConnection, db: BetterSQLite3Database): AgentKeyStore {
  const owns = client.prepare<[string, string]>(
    'select 1 from key_threads where thread_id = ? and key_id = ?',
  )
  // A run that was deleted has left its cost in `key_runs`.
  const spend = client.prepare<[string, number], { runs: number; usd: number }>(
    `select count(*) as runs, coalesce(sum(coalesce(runs.cost_usd, key_runs.cost_usd, 0)), 0) as usd
     from key_runs left join runs on runs.id = key_runs.run_id
     where key_id = ? and key_runs.created_at >= ?`,
  )
  const running = client
    .prepare<[string]>(
      `select count(*) from key_runs join runs on runs.id = key_runs.run_id
       where key_id = ? and runs.status in ('queued', 'running')`,
    )
    .pluck()
  return {
    insert: (row) => {
      db.insert(agentKeys).values(row).run()
    },
    byHash: (hash) => db.select().from(agentKeys).where(eq(agentKeys.hash, hash)).get(),
    ofAgent: (agentId) =>
      db
        .select()
        .from(agentKeys)
        .where(eq(agentKeys.agentId, agentId))
        .orderBy(desc(agentKeys.createdAt), desc(agentKeys.id))
        .all(),
    remove: (agentId, id) =>
      db
        .delete(agentKeys)
        .where(and(eq(agentKeys.id, id), eq(agentKeys.agentId, agentId)))
        .run().changes === 1,
    noteUse: (id, at) => {
      db.update(agentKeys).set({ lastUsedAt: at }).where(eq(agentKeys.id, id)).run()
    },
    addThread: (keyId, threadId) => {
      db.insert(keyThreads).values({ keyId, threadId }).onConflictDoNothing().run()
    },
    ownsThread: (keyId, threadId) => owns.get(threadId, keyId) !== undefined,
    addRun: (keyId, runId, createdAt) => {
      db.insert(keyRuns).values({ keyId, runId, createdAt }).onConflictDoNothing().run()
    },
    spendSince: (keyId, since) => spend.get(keyId, since) ?? { runs: 0, usd: 0 },
    running: (keyId) => Number(running.get(keyId)),
  }
}
