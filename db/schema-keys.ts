/** The tables of agent keys, and of the threads and runs that were begun with them. */

import { index, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { KeyUse } from '#lib/spec/agent-key'
import { agents, threads } from './schema'

/** Milliseconds since 1970. */
const time = (name: string) => integer(name)

/** Keys that let others use an agent. The text of a key is not stored, only its hash. */
export const agentKeys = sqliteTable(
  'agent_keys',
  {
    id: text('id').primaryKey(),
    agentId: text('agent_id')
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    use: text('use').$type<KeyUse>().notNull(),
    hash: text('hash').notNull().unique(),
    hint: text('hint').notNull(),
    requestsPerMinute: integer('requests_per_minute').notNull(),
    runsPerDay: integer('runs_per_day'),
    usdPerDay: real('usd_per_day'),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at'),
    lastUsedAt: time('last_used_at'),
  },
  (table) => [index('agent_keys_by_agent').on(table.agentId, table.createdAt)],
)

/** The threads that were begun with a key: only that key reaches them, besides the operator. */
export const keyThreads = sqliteTable(
  'key_threads',
  {
    threadId: text('thread_id')
      .primaryKey()
      .references(() => threads.id, { onDelete: 'cascade' }),
    keyId: text('key_id')
      .notNull()
      .references(() => agentKeys.id, { onDelete: 'cascade' }),
  },
  (table) => [index('key_threads_by_key').on(table.keyId)],
)

/**
 * The runs that were begun with a key. A row stays when its run is deleted, so that deleting runs does not give a
 * key a new budget; a trigger in the migration then keeps the cost of the run here.
 */
export const keyRuns = sqliteTable(
  'key_runs',
  {
    runId: text('run_id').primaryKey(),
    keyId: text('key_id')
      .notNull()
      .references(() => agentKeys.id, { onDelete: 'cascade' }),
    createdAt: time('created_at').notNull(),
    costUsd: real('cost_usd'),
  },
  (table) => [index('key_runs_by_key').on(table.keyId, table.createdAt)],
)
