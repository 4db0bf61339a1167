/** The table of the agents that runs may call, as they were when the runs were stored. */
import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AgentRef } from '#lib/spec/event'
import { configs, runs } from './schema'

export const runAgents = sqliteTable(
  'run_agents',
  {
    runId: text('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    /** Its name and version as entries name it: `researcher@published`. */
    key: text('key').notNull(),
    /** Null where there was no such agent. */
    agent: text('agent', { mode: 'json' }).$type<AgentRef>(),
    configHash: text('config_hash').references(() => configs.hash),
    /** Why it cannot be called; null where it can. */
    problem: text('problem'),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.key] }),
    index('run_agents_by_config').on(table.configHash),
  ],
)
