/** The store of server settings, one JSON value per key. */

import { eq, sql } from 'drizzle-orm'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type { SettingsStore } from '#lib/spec/store'
import { settings } from '../schema'

export function settingsStore(db: BetterSQLite3Database): SettingsStore {
  const byKey = db
    .select({ value: settings.value })
    .from(settings)
    .where(eq(settings.key, sql.placeholder('key')))
    .prepare()
  return {
    get: (key) => byKey.get({ key })?.value,
    set: (key, value) => {
      db.insert(settings)
        .values({ key, value })
        .onConflictDoUpdate({ target: settings.key, set: { value } })
        .run()
    },
  }
}
