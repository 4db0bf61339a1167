/**
 * Migrates a database file to the newest schema, in one transaction per migration;
 * `user_version` is the number applied.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { SqliteConnection } from '#lib/sqlite/driver'
import { hashOfStart } from './start-hash'

interface Migration {
  readonly name: string
  readonly statements: readonly string[]
}

const journal = z.object({ entries: z.array(z.object({ idx: z.int(), tag: z.string() })) })

/** Reads `db/migrations` in order. */
export function readMigrations(folder: string = migrationsFolder()): Migration[] {
  const { entries } = journal.parse(JSON.parse(readFileSync(path.join(folder, 'meta/_journal.json'), 'utf8')))
  return entries
    .toSorted((a, b) => a.idx - b.idx)
    .map(({ tag }) => ({
      name: tag,
      statements: readFileSync(path.join(folder, `${tag}.sql`), 'utf8').split('--> statement-breakpoint'),
    }))
}

/**
 * Applies the missing migrations. A crash during a migration leaves the schema as it
 * was before that migration.
 */
export function migrate(client: SqliteConnection, migrations: readonly Migration[]): void {
  const done = schemaVersion(client)
  // A migration uses this function to move rows.
  client.function('hash_of_start', { deterministic: true }, (config, origins) =>
    hashOfStart(String(config), String(origins)),
  )
  for (const [index, migration] of migrations.entries()) {
    if (index < done) continue
    client
      .transaction(() => {
        for (const statement of migration.statements) client.exec(statement)
        client.pragma(`user_version = ${index + 1}`)
      })
      .immediate()
  }
}

export function schemaVersion(client: SqliteConnection): number {
  return Number(client.pragma('user_version', { simple: true }))
}

/**
 * The folder is at the package root. This code may run from its source or from a bundle
 * elsewhere below that root.
 */
function migrationsFolder(): string {
  for (let at = path.dirname(fileURLToPath(import.meta.url)); ; at = path.dirname(at)) {
    const folder = path.join(at, 'db/migrations')
    if (existsSync(path.join(folder, 'meta/_journal.json'))) return folder
    if (at === path.dirname(at))
      throw new Error('The folder db/migrations was not found next to the program.')
  }
}
