/** The tables of tools tried by hand and of mocks. They belong to an agent's draft and are deleted with the agent. */

import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { JsonObject } from '#lib/spec/json'
import type { Block } from '#lib/spec/message'
import type { Mock } from '#lib/spec/mock'
import type { TryStatus } from '#lib/spec/trial'
import { agents, threads } from './schema'

/** Milliseconds since 1970. */
const time = (name: string) => integer(name)
const ofAgent = () =>
  text('agent_id')
    .notNull()
    .references(() => agents.id, { onDelete: 'cascade' })

export const toolMocks = sqliteTable(
  'tool_mocks',
  {
    agentId: ofAgent(),
    /** The name that the model calls. */
    tool: text('tool').notNull(),
    mock: text('mock', { mode: 'json' }).$type<Mock>().notNull(),
    on: integer('is_on', { mode: 'boolean' }).notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentId, table.tool] })],
)

/** The last tries of each tool. `n` is their order. */
export const toolTries = sqliteTable(
  'tool_tries',
  {
    n: integer('n').primaryKey({ autoIncrement: true }),
    id: text('id').notNull().unique(),
    agentId: ofAgent(),
    tool: text('tool').notNull(),
    at: time('at').notNull(),
    /** Known secrets are replaced; null when they were too long to keep. */
    args: text('args', { mode: 'json' }).$type<JsonObject>(),
    redacted: integer('redacted', { mode: 'boolean' }).notNull(),
    status: text('status').$type<TryStatus>().notNull(),
    code: text('code'),
    durationMs: integer('duration_ms').notNull(),
    result: text('result', { mode: 'json' }).$type<Block[]>(),
  },
  (table) => [index('tool_tries_by_tool').on(table.agentId, table.tool)],
)

/** The thread whose workspace the tries of an agent share. It is in no list of threads. */
export const trialThreads = sqliteTable('trial_threads', {
  agentId: text('agent_id')
    .primaryKey()
    .references(() => agents.id, { onDelete: 'cascade' }),
  threadId: text('thread_id')
    .notNull()
    .references(() => threads.id, { onDelete: 'cascade' }),
})
