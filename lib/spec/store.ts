/** What the database keeps, as the rest of the server sees it: rows as data, every call synchronous. */
import type { AgentRef, RunError, RunEvent, RunStatus } from './event'
import type { GraphDocument } from './graph'
import type { JsonValue } from './json'
import type { Usage } from './model'

export interface AgentRow {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly graph: GraphDocument
  /** Canonical bytes; null while the graph has errors. */
  readonly config: string | null
  readonly configHash: string | null
  /** Entry path → node id, of the compiled graph. */
  readonly origins: Readonly<Record<string, string>>
  /** Grows by one with every save. */
  readonly revision: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** A published config; never changes. */
export interface VersionRow {
  readonly agentId: string
  readonly version: number
  readonly graph: GraphDocument
  readonly config: string
  readonly configHash: string
  readonly origins: Readonly<Record<string, string>>
  readonly createdAt: number
}

export interface ThreadRow {
  readonly id: string
  readonly agentId: string
  readonly title: string
  readonly createdAt: number
  readonly updatedAt: number
}

export interface RunRow {
  readonly id: string
  readonly agentId: string
  readonly threadId: string
  readonly agent: AgentRef
  readonly status: RunStatus
  readonly input: string
  readonly answer: string | null
  readonly error: RunError | null
  readonly usage: Usage
  readonly costUsd: number | null
  readonly steps: number
  readonly toolCalls: readonly { name: string; count: number }[]
  /** The canonical config this run uses, overrides applied. */
  readonly config: string
  readonly origins: Readonly<Record<string, string>>
  readonly historyThrough: string | null
  /** Set by an orderly shutdown, so that the recovery that follows is not counted as a crash. */
  readonly drained: boolean
  readonly createdAt: number
  readonly startedAt: number | null
  readonly finishedAt: number | null
  /** The last event stored. */
  readonly seq: number
}

export interface Page<T> {
  readonly items: T[]
  /** Pass as `cursor` for the items that follow. */
  readonly next?: string
}

export interface AgentStore {
  list(): AgentRow[]
  get(id: string): AgentRow | undefined
  byName(name: string): AgentRow | undefined
  /** False when the name is taken. */
  insert(row: AgentRow): boolean
  /** Saves over `row.revision - 1`; `stale` when the stored revision is another, `name_taken` when the name is another agent's. */
  update(row: AgentRow): 'saved' | 'stale' | 'name_taken' | 'missing'
  remove(id: string): boolean
  versions(agentId: string): VersionRow[]
  version(agentId: string, version: number): VersionRow | undefined
  insertVersion(row: VersionRow): void
}

export interface RunFilter {
  readonly agentId?: string
  readonly status?: RunStatus
  readonly threadId?: string
  readonly cursor?: string
  readonly limit?: number
}

export interface RunStore {
  /** Adds the run with its first event in one transaction; false when the thread is busy. */
  insert(row: RunRow, queued: RunEvent): boolean
  get(id: string): RunRow | undefined
  /** Newest first. */
  list(filter: RunFilter): Page<RunRow>
  /** Runs of the thread that are finished, oldest first. */
  ofThread(threadId: string): RunRow[]
  /** Every run that is not finished, oldest first. */
  unfinished(): RunRow[]
  markDrained(ids: readonly string[], drained: boolean): void
  /** Events after `seq`, in order. */
  events(runId: string, after: number, limit?: number): RunEvent[]
  /** The same as stored JSON texts, for sending without parsing. */
  eventTexts(runId: string, after: number, limit?: number): { seq: number; type: string; json: string }[]
  /** Appends events of many runs in one transaction and moves the runs' rows along, guarded by their status. */
  append(batch: readonly { runId: string; event: RunEvent; json: string }[]): void
  /** Tool schemas as offered, once by hash. */
  saveSchemas(schemas: readonly { hash: string; json: string }[]): void
  schema(hash: string): string | undefined
}

export interface ThreadStore {
  insert(row: ThreadRow): void
  get(id: string): ThreadRow | undefined
  list(agentId?: string): ThreadRow[]
  remove(id: string): boolean
  touch(id: string, at: number): void
}

export interface SettingsStore {
  get(key: string): JsonValue | undefined
  set(key: string, value: JsonValue): void
}

export interface Stores {
  readonly agents: AgentStore
  readonly runs: RunStore
  readonly threads: ThreadStore
  readonly settings: SettingsStore
  close(): void
}
