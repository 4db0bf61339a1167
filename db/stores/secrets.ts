/** The store of secrets: sealed values with the part that may be shown. */

import { asc, eq } from 'drizzle-orm'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type { SecretStore } from '#lib/spec/store'
import { secrets } from '../schema'

export function secretStore(db: BetterSQLite3Database): SecretStore {
  return {
    list: () => db.select().from(secrets).orderBy(asc(secrets.name)).all(),
    get: (name) => db.select().from(secrets).where(eq(secrets.name, name)).get(),
    put: ({ sealed, ...row }) => {
      const set = { ...row, sealed: Buffer.from(sealed) }
      db.insert(secrets).values(set).onConflictDoUpdate({ target: secrets.name, set }).run()
    },
    remove: (name) => db.delete(secrets).where(eq(secrets.name, name)).run().changes === 1,
  }
}
