/** Keys that let others use one agent: what a key may do, its limits, and how it is stored. */
import { z } from 'zod'

/** `mcp`: call the agent as an MCP tool. `chat`: talk to it on its page. `api`: start runs over HTTP. */
export const keyUse = z.enum(['mcp', 'chat', 'api'])
export type KeyUse = z.infer<typeof keyUse>

/** The form of a key's text, as the source of a regular expression. */
export const keyForm = 'lwk_[A-Za-z0-9_-]{43}'

/** A key as it is stored: its text is not. Times are milliseconds since 1970; null means no limit. */
export interface AgentKeyRow {
  readonly id: string
  readonly agentId: string
  readonly name: string
  readonly use: KeyUse
  /** SHA-256 of the key's text, as hex. */
  readonly hash: string
  /** The last four characters of the text. */
  readonly hint: string
  readonly requestsPerMinute: number
  readonly runsPerDay: number | null
  readonly usdPerDay: number | null
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
}

/** What keys may do with a route of the API. */
export interface KeyAccess {
  readonly uses: readonly KeyUse[]
  /**
   * What the first parameter of the path names, which must belong to the key; `own` for a path without one, whose
   * handler then shows or changes only what belongs to the key.
   */
  readonly reach: 'agent' | 'agentName' | 'thread' | 'run' | 'artifact' | 'own'
}

/** What the runs of a key add up to. */
export interface KeySpend {
  readonly runs: number
  readonly usd: number
}

/** Keys, and the threads and runs that were begun with them. */
export interface AgentKeyStore {
  insert(row: AgentKeyRow): void
  byHash(hash: string): AgentKeyRow | undefined
  /** The newest first. */
  ofAgent(agentId: string): AgentKeyRow[]
  /** False when the agent has no such key. Its threads and runs stay. */
  remove(agentId: string, id: string): boolean
  noteUse(id: string, at: number): void
  addThread(keyId: string, threadId: string): void
  ownsThread(keyId: string, threadId: string): boolean
  /** Counts a run for its key, even if the run is deleted later. */
  addRun(keyId: string, runId: string, at: number): void
  /** The runs that were begun at this time or later. */
  spendSince(keyId: string, since: number): KeySpend
  /** Runs of the key that are queued or at work. */
  running(keyId: string): number
}
