/**
 * The tables of memories and of knowledge. Their full-text indexes, `memory_words` and `passage_words`, are only in
 * the migration, with the triggers that keep them in step, because drizzle has no virtual tables.
 */
import { sql } from 'drizzle-orm'
import { blob, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { agents } from './schema'

/** Milliseconds since 1970. */
const time = (name: string) => integer(name)

/** What agents remember. `owner` is `user:<key>` or `thread:<id>`; `run_id` is the run that recorded it. */
export const memories = sqliteTable(
  'memories',
  {
    n: integer('n').primaryKey({ autoIncrement: true }),
    id: text('id').notNull().unique(),
    agentId: text('agent_id')
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    owner: text('owner').notNull(),
    text: text('text').notNull(),
    runId: text('run_id'),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('memories_text').on(table.agentId, table.owner, table.text),
    index('memories_age').on(table.agentId, table.owner, table.updatedAt),
    index('memories_owner').on(table.owner),
  ],
)

/**
 * The meaning of memories, as a model of embeddings has it: 32-bit numbers of length 1. Triggers keep one row for each
 * text: its model is empty until a model has read the text as it is now. `problem` is why that model has refused it.
 */
export const memoryVectors = sqliteTable(
  'memory_vectors',
  {
    n: integer('n')
      .primaryKey()
      .references(() => memories.n, { onDelete: 'cascade' }),
    model: text('model').notNull(),
    vector: blob('vector', { mode: 'buffer' }).notNull(),
    problem: text('problem'),
  },
  (table) => [
    index('memory_vectors_by_model').on(table.model),
    index('memory_vectors_refused').on(table.n).where(sql`problem is not null`),
  ],
)

export const collections = sqliteTable('collections', {
  id: text('id').primaryKey(),
  name: text('name').notNull().unique(),
  description: text('description').notNull(),
  createdAt: time('created_at').notNull(),
})

/** Files of collections. `passages` is null until all passages are in: such a file is not searched. */
export const collectionFiles = sqliteTable(
  'collection_files',
  {
    id: text('id').primaryKey(),
    collectionId: text('collection_id')
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    kind: text('kind').$type<'text' | 'markdown' | 'html' | 'pdf' | 'docx'>().notNull(),
    bytes: integer('bytes').notNull(),
    chars: integer('chars').notNull(),
    passages: integer('passages'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('collection_files_by_name').on(table.collectionId, table.name)],
)

export const passages = sqliteTable(
  'passages',
  {
    n: integer('n').primaryKey({ autoIncrement: true }),
    fileId: text('file_id')
      .notNull()
      .references(() => collectionFiles.id, { onDelete: 'cascade' }),
    place: text('place').notNull(),
    text: text('text').notNull(),
  },
  (table) => [index('passages_by_file').on(table.fileId, table.n)],
)

export const passageVectors = sqliteTable(
  'passage_vectors',
  {
    n: integer('n')
      .primaryKey()
      .references(() => passages.n, { onDelete: 'cascade' }),
    model: text('model').notNull(),
    vector: blob('vector', { mode: 'buffer' }).notNull(),
    problem: text('problem'),
  },
  (table) => [
    index('passage_vectors_by_model').on(table.model),
    index('passage_vectors_refused').on(table.n).where(sql`problem is not null`),
  ],
)
