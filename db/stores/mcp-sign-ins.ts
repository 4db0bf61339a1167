/** The store of sign-ins to MCP servers; their tokens are sealed. */
import { asc, eq } from 'drizzle-orm'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type { McpSignInStore } from '#lib/spec/mcp-store'
import { mcpSignIns } from '../schema'

export function mcpSignInStore(db: BetterSQLite3Database): McpSignInStore {
  return {
    list: () => db.select().from(mcpSignIns).orderBy(asc(mcpSignIns.server)).all(),
    get: (server) => db.select().from(mcpSignIns).where(eq(mcpSignIns.server, server)).get(),
    put: ({ sealed, ...row }) => {
      const set = { ...row, sealed: Buffer.from(sealed) }
      db.insert(mcpSignIns).values(set).onConflictDoUpdate({ target: mcpSignIns.server, set }).run()
    },
    remove: (server) => db.delete(mcpSignIns).where(eq(mcpSignIns.server, server)).run().changes === 1,
  }
}
