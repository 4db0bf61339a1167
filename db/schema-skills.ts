/** The tables of skills: which version of each is used, and the files of every version that is kept. */

import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { SkillFacts } from '#lib/spec/skill'

/** Milliseconds since 1970. */
const time = (name: string) => integer(name)

export const skills = sqliteTable('skills', {
  name: text('name').primaryKey(),
  /** The version that is used now. */
  hash: text('hash').notNull(),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
})

/** Versions never change. A version is kept for comparing after another has taken its place. */
export const skillVersions = sqliteTable(
  'skill_versions',
  {
    hash: text('hash').primaryKey(),
    name: text('name')
      .notNull()
      .references(() => skills.name, { onDelete: 'cascade' }),
    facts: text('facts', { mode: 'json' }).$type<SkillFacts>().notNull(),
    importedAt: time('imported_at').notNull(),
  },
  (table) => [index('skill_versions_by_name').on(table.name, table.importedAt)],
)

export const skillFiles = sqliteTable(
  'skill_files',
  {
    hash: text('hash')
      .notNull()
      .references(() => skillVersions.hash, { onDelete: 'cascade' }),
    path: text('path').notNull(),
    content: blob('content', { mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.hash, table.path] })],
)
