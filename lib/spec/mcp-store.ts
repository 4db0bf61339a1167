/** What the database keeps of MCP servers: JSON as text, so that one row that cannot be read does not hide the others. */

export interface McpServerRow {
  readonly name: string
  /** How it is reached; null for a server of the operator's file, of which only the rest is kept. */
  readonly settings: string | null
  /** What a person confirmed, the last error, when it was last seen. */
  readonly state: string
  /** Its tools, accepted and as last listed. May be large, so lists leave it out. */
  readonly tools: string
  readonly createdAt: number
  readonly updatedAt: number
}

export interface McpServerStore {
  /** Sorted by name. */
  list(): Omit<McpServerRow, 'tools'>[]
  get(name: string): McpServerRow | undefined
  /** Adds the server, or replaces the one with this name. */
  put(row: McpServerRow): void
  /** Replaces what the server's row says under these columns. False when there is no such row. */
  update(name: string, change: Partial<Pick<McpServerRow, 'state' | 'tools'>>): boolean
  remove(name: string): boolean
}

/** A sign-in to an MCP server: what was agreed, and its tokens, sealed. */
export interface McpSignInRow {
  readonly server: string
  /** The server's address; the sign-in is void at any other. */
  readonly url: string
  readonly sealed: Uint8Array
  readonly updatedAt: number
}

export interface McpSignInStore {
  list(): McpSignInRow[]
  get(server: string): McpSignInRow | undefined
  /** Adds the sign-in, or replaces the one to this server. */
  put(row: McpSignInRow): void
  remove(server: string): boolean
}
