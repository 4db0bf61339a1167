/**
 * All tables of the database file: agents and their versions, threads, runs with their events, files and
 * original arguments, settings, secrets, MCP servers and sign-ins to them; those of agent keys are in
 * `schema-keys.ts`, those of tries and mocks in `schema-trials.ts`, those of memory and knowledge in `schema-recall.ts`, those of sub-agents in `schema-agents.ts`. `run_words`, the full-text index of runs, is only in its migration, because drizzle has no
 * virtual tables.
 * After a change: npx drizzle-kit generate --dialect sqlite --schema 'db/schema*.ts' --out db/migrations
 */

import { sql } from 'drizzle-orm'
import {
  blob,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import type { Artifact } from '#lib/spec/artifact'
import type { AgentRef, Earlier, ForkPoint, RunError, RunStatus, ToolCount } from '#lib/spec/event'
import type { Rating } from '#lib/spec/feedback'
import type { GraphDocument } from '#lib/spec/graph'
import type { JsonValue } from '#lib/spec/json'
import type { Message } from '#lib/spec/message'
import type { MockedTool, MockSet } from '#lib/spec/mock'
import type { Usage } from '#lib/spec/model'
import type { Pending } from '#lib/spec/pending'
import type { PictureSize } from '#lib/spec/picture'

type Origins = Readonly<Record<string, string>>

/** Milliseconds since 1970. */
const time = (name: string) => integer(name)

export const agents = sqliteTable(
  'agents',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    title: text('title').notNull(),
    description: text('description').notNull(),
    graph: text('graph', { mode: 'json' }).$type<GraphDocument>().notNull(),
    config: text('config'),
    configHash: text('config_hash'),
    origins: text('origins', { mode: 'json' }).$type<Origins>().notNull(),
    revision: integer('revision').notNull(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    /** When a person removed the agent. It can be restored until it is purged; its name is free meanwhile. */
    removedAt: time('removed_at'),
  },
  (table) => [
    uniqueIndex('agents_name').on(table.name).where(sql`removed_at is null`),
    // Covers all columns of the list: SQLite reaches a column behind a large drawing only by
    // reading through the drawing.
    index('agents_heads')
      .on(
        table.name,
        table.id,
        table.title,
        table.description,
        table.configHash,
        table.revision,
        table.createdAt,
        table.updatedAt,
        table.removedAt,
      )
      .where(sql`removed_at is null`),
  ],
)

export const versions = sqliteTable(
  'versions',
  {
    agentId: text('agent_id')
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    graph: text('graph', { mode: 'json' }).$type<GraphDocument>().notNull(),
    config: text('config').notNull(),
    configHash: text('config_hash').notNull(),
    origins: text('origins', { mode: 'json' }).$type<Origins>().notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentId, table.version] })],
)

// Threads and runs outlive their agent: a run of a deleted agent can still be opened, so
// neither refers to `agents`.
export const threads = sqliteTable(
  'threads',
  {
    id: text('id').primaryKey(),
    agentId: text('agent_id').notNull(),
    title: text('title').notNull(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    /** What runs that were deleted brought into the thread; its files are still there. */
    earlier: text('earlier', { mode: 'json' }).$type<Earlier>(),
    /** `test`: begun in the builder, to try the agent; null: any other. */
    purpose: text('purpose').$type<'test'>(),
  },
  (table) => [
    index('threads_by_agent').on(table.agentId, table.updatedAt),
    index('threads_by_use').on(table.updatedAt),
  ],
)

/**
 * The figures are a projection of the run's events, so that lists do not have to read the events. `n` is the
 * order of creation and does not depend on the clock.
 */
export const runs = sqliteTable(
  'runs',
  {
    n: integer('n').primaryKey({ autoIncrement: true }),
    id: text('id').notNull().unique(),
    agentId: text('agent_id').notNull(),
    threadId: text('thread_id')
      .notNull()
      .references(() => threads.id, { onDelete: 'cascade' }),
    agent: text('agent', { mode: 'json' }).$type<AgentRef>().notNull(),
    status: text('status').$type<RunStatus>().notNull(),
    input: text('input').notNull(),
    answer: text('answer'),
    error: text('error', { mode: 'json' }).$type<RunError>(),
    usage: text('usage', { mode: 'json' }).$type<Usage>().notNull(),
    costUsd: real('cost_usd'),
    steps: integer('steps').notNull(),
    toolCalls: text('tool_calls', { mode: 'json' }).$type<readonly ToolCount[]>().notNull(),
    historyThrough: text('history_through'),
    drained: integer('drained', { mode: 'boolean' }).notNull(),
    cancelling: integer('cancelling', { mode: 'boolean' }).notNull(),
    createdAt: time('created_at').notNull(),
    startedAt: time('started_at'),
    finishedAt: time('finished_at'),
    replaces: text('replaces'),
    pending: text('pending', { mode: 'json' }).$type<readonly Pending[]>().notNull().default([]),
    /**
     * JSON that fits the agent's output schema, stored as text, because drizzle would read a
     * stored null as no value.
     */
    output: text('output'),
    forkedFrom: text('forked_from', { mode: 'json' }).$type<ForkPoint>(),
    /** The original run from which all forks of this tree descend; null for a run that is not a fork. */
    forkRoot: text('fork_root'),
    /** The columns down to `waitedMs` are filled when the run has ended, together with its words. */
    indexed: integer('indexed', { mode: 'boolean' }).notNull().default(false),
    /** `provider/name`. */
    model: text('model'),
    failedCalls: integer('failed_calls'),
    durationMs: integer('duration_ms'),
    /** The part of the duration in which the run waited for a person. */
    waitedMs: integer('waited_ms'),
    feedback: text('feedback').$type<Rating>(),
    feedbackText: text('feedback_text'),
    /** When a person deleted the run. It can be restored until it is purged. */
    removedAt: time('removed_at'),
    /**
     * Set for a run that was sent while another run of its thread was under way: the files given with it. Until
     * its turn comes, it has no event and is not the unfinished run of its thread. Then this becomes null.
     */
    behind: text('behind', { mode: 'json' }).$type<readonly Artifact[]>(),
    /** The tools whose calls a mock answers; null when there are none. */
    mocked: text('mocked', { mode: 'json' }).$type<readonly MockedTool[]>(),
    /** On whose behalf the caller runs the agent; null when it does not say. */
    user: text('user'),
  },
  (table) => [
    index('runs_by_agent').on(table.agentId),
    index('runs_by_status').on(table.status),
    index('runs_by_thread').on(table.threadId),
    index('runs_by_fork_root').on(table.forkRoot),
    // Covers every column by which runs are filtered, sorted and added up: SQLite reaches a column behind
    // a long answer only by reading through the answer.
    index('runs_figures').on(
      table.agentId,
      table.createdAt,
      table.status,
      table.model,
      table.costUsd,
      table.steps,
      table.failedCalls,
      table.durationMs,
      table.waitedMs,
      table.feedback,
      table.removedAt,
    ),
    index('runs_unindexed').on(table.indexed).where(sql`indexed = 0 and finished_at is not null`),
    index('runs_removed').on(table.removedAt).where(sql`removed_at is not null`),
    uniqueIndex('runs_busy_thread')
      .on(table.threadId)
      .where(sql`status in ('queued', 'running', 'waiting') and behind is null`),
    index('runs_behind').on(table.threadId).where(sql`behind is not null`),
  ],
)

/** The tools that an ended run called. Agent and time are those of the run, so that sums need no join. */
export const runTools = sqliteTable(
  'run_tools',
  {
    run: integer('run')
      .notNull()
      .references(() => runs.n, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    calls: integer('calls').notNull(),
    failed: integer('failed').notNull(),
    agentId: text('agent_id').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.run, table.name] }),
    index('run_tools_by_name').on(table.name, table.run),
    index('run_tools_by_agent').on(table.agentId, table.createdAt, table.name, table.calls, table.failed),
  ],
)

/** What runs start from, stored once for equal starts: the exact bytes of a config, and its origins. */
export const configs = sqliteTable('configs', {
  /** The hash of both texts, from `hashOfStart`. */
  hash: text('hash').primaryKey(),
  config: text('config').notNull(),
  origins: text('origins', { mode: 'json' }).$type<Origins>().notNull(),
})

/**
 * What a run started from. It is not in the run's row because that row is rewritten with
 * every step, history included.
 */
export const snapshots = sqliteTable(
  'snapshots',
  {
    runId: text('run_id')
      .primaryKey()
      .references(() => runs.id, { onDelete: 'cascade' }),
    configHash: text('config_hash')
      .notNull()
      .references(() => configs.hash),
    /**
     * Messages before the question that no run of the thread contains: the dialogue before a fork, one that the
     * caller gave, or that of deleted runs; null when there are none.
     */
    history: text('history', { mode: 'json' }).$type<readonly Message[]>(),
    /** The mocks of the run; null when it has none. */
    mocks: text('mocks', { mode: 'json' }).$type<MockSet>(),
  },
  (table) => [index('snapshots_by_config').on(table.configHash)],
)

/**
 * The migration makes this table WITHOUT ROWID, which drizzle cannot express: a run's events are
 * stored together, in key order.
 */
export const events = sqliteTable(
  'events',
  {
    runId: text('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    seq: integer('seq').notNull(),
    type: text('type').notNull(),
    json: text('json').notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.seq] })],
)

/**
 * Arguments of calls that contain secrets, until the call ends: the events hold placeholders. Sealed with the
 * server's key, which is not in this file.
 */
export const originals = sqliteTable(
  'originals',
  {
    runId: text('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    callId: text('call_id').notNull(),
    /** `model`, `person`, or the entry of a hook. */
    source: text('source').notNull(),
    sealed: blob('sealed', { mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.callId, table.source] })],
)

/**
 * Files that runs made or were given, in the state they had then. The bytes are in the data folder, once per
 * hash. `n` is the order of keeping.
 */
export const artifacts = sqliteTable(
  'artifacts',
  {
    n: integer('n').primaryKey({ autoIncrement: true }),
    id: text('id').notNull().unique(),
    threadId: text('thread_id')
      .notNull()
      .references(() => threads.id, { onDelete: 'cascade' }),
    runId: text('run_id').references(() => runs.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    path: text('path'),
    mediaType: text('media_type').notNull(),
    bytes: integer('bytes').notNull(),
    sha256: text('sha256').notNull(),
    createdAt: time('created_at').notNull(),
    /** The size of a picture; null for other files. */
    picture: text('picture', { mode: 'json' }).$type<PictureSize>(),
  },
  (table) => [
    index('artifacts_by_thread').on(table.threadId),
    index('artifacts_by_run').on(table.runId),
    index('artifacts_by_content').on(table.sha256),
  ],
)

/** What a person or a tool says a file of a workspace is; without a row, nothing is said of it. */
export const fileDescriptions = sqliteTable(
  'file_descriptions',
  {
    threadId: text('thread_id')
      .notNull()
      .references(() => threads.id, { onDelete: 'cascade' }),
    path: text('path').notNull(),
    description: text('description').notNull(),
  },
  (table) => [primaryKey({ columns: [table.threadId, table.path] })],
)

/**
 * Files to delete: recorded in the transaction that removes their thread, and removed here
 * once the files are gone.
 */
export const discards = sqliteTable('discards', {
  /** The thread whose workspace is to be deleted, or the artifact that releases its content. */
  id: text('id').primaryKey(),
  /** The content of the artifact; null for a workspace. */
  sha256: text('sha256'),
})

/** Tool schemas as they were offered to models, once per hash. */
export const toolSchemas = sqliteTable('tool_schemas', {
  hash: text('hash').primaryKey(),
  json: text('json').notNull(),
})

export const settings = sqliteTable('settings', {
  key: text('key').primaryKey(),
  value: text('value', { mode: 'json' }).$type<JsonValue>().notNull(),
})

/**
 * Values are sealed with the server's key, which is not in this file; `hint` is the part that may be shown.
 */
export const secrets = sqliteTable('secrets', {
  name: text('name').primaryKey(),
  sealed: blob('sealed', { mode: 'buffer' }).notNull(),
  hint: text('hint').notNull(),
  origins: text('origins', { mode: 'json' }).$type<readonly string[]>().notNull(),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
})

/** MCP servers. The JSON columns are plain text, so that one row that cannot be read does not hide the others. */
export const mcpServers = sqliteTable('mcp_servers', {
  name: text('name').primaryKey(),
  /** Null for a server of the operator's file. */
  settings: text('settings'),
  state: text('state').notNull(),
  tools: text('tools').notNull(),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
})

/** Sign-ins to MCP servers. The tokens are sealed with the server's key, which is not in this file. */
export const mcpSignIns = sqliteTable('mcp_sign_ins', {
  server: text('server').primaryKey(),
  url: text('url').notNull(),
  sealed: blob('sealed', { mode: 'buffer' }).notNull(),
  updatedAt: time('updated_at').notNull(),
})
