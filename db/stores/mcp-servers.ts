/** The store of MCP servers. Their JSON is kept as text and read by the server, row by row. */

import { asc, eq, getTableColumns } from 'drizzle-orm'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type { McpServerStore } from '#lib/spec/mcp-store'
import { mcpServers } from '../schema'

const { tools: _tools, ...small } = getTableColumns(mcpServers)

export function mcpServerStore(db: BetterSQLite3Database): McpServerStore {
  const named = (name: string) => eq(mcpServers.name, name)
  return {
    list: () => db.select(small).from(mcpServers).orderBy(asc(mcpServers.name)).all(),
    get: (name) => db.select().from(mcpServers).where(named(name)).get(),
    put: (row) => {
      db.insert(mcpServers).values(row).onConflictDoUpdate({ target: mcpServers.name, set: row }).run()
    },
    update: (name, change) => db.update(mcpServers).set(change).where(named(name)).run().changes === 1,
    remove: (name) => db.delete(mcpServers).where(named(name)).run().changes === 1,
  }
}
