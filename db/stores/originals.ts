/** The store of the original arguments of calls that contain secrets. `append` removes them when their call ends. */

import { and, eq } from 'drizzle-orm'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type { OriginalRow, OriginalStore } from '#lib/spec/originals'
import { originals } from '../schema'

export function originalStore(db: BetterSQLite3Database): OriginalStore {
  const one = ({ runId, callId, source }: Omit<OriginalRow, 'sealed'>) =>
    and(eq(originals.runId, runId), eq(originals.callId, callId), eq(originals.source, source))
  return {
    put: (row) => {
      const sealed = Buffer.from(row.sealed)
      db.insert(originals)
        .values({ ...row, sealed })
        .onConflictDoUpdate({
          target: [originals.runId, originals.callId, originals.source],
          set: { sealed },
        })
        .run()
    },
    get: (row) => db.select({ sealed: originals.sealed }).from(originals).where(one(row)).get()?.sealed,
  }
}
