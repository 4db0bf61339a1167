/** Brings a database file to the newest schema, one transaction a migration; `user_version` counts those applied. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type Database from 'better-sqlite3'
import { z } from 'zod'
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

/** Applies what is missing. A crash between two statements leaves the schema as it was before that migration. */
export function migrate(client: Database.Database, migrations: readonly Migration[]): void {
  const done = schemaVersion(client)
  // Migrations move rows by it.
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

export function schemaVersion(client: Database.Database): number {
  return Number(client.pragma('user_version', { simple: true }))
}

/** The folder stands at the package's root, and this code may run from its source or from a bundle elsewhere under that root. */
function migrationsFolder(): string {
  for (let at = path.dirname(fileURLToPath(import.meta.url)); ; at = path.dirname(at)) {
    const folder = path.join(at, 'db/migrations')
    if (existsSync(path.join(folder, 'meta/_journal.json'))) return folder
    if (at === path.dirname(at)) throw new Error('db/migrations is not beside the program')
  }
}
