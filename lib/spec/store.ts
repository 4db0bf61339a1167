/** What the database keeps, as the rest of the server sees it: rows as data, every call synchronous. */
import type { Artifact } from './artifact'
import type { AgentRef, ForkPoint, RunError, RunEvent, RunStatus } from './event'
import type { GraphDocument } from './graph'
import type { JsonObject, JsonValue } from './json'
import type { Message } from './message'
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
  /** Why the stored drawing can not be read; `graph` is then empty and `config` null, and nothing of it may be saved over the stored one. */
  readonly problem?: string
}

/** An agent without its texts: the columns that a list needs. */
export type AgentHead = Omit<AgentRow, 'graph' | 'config' | 'origins' | 'problem'>

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

/** Something a person is waited for. Times are milliseconds since 1970; null when they may take any. */
export interface Pending {
  readonly callId: string
  readonly kind: 'approval'
  readonly tool: string
  readonly args: JsonObject
  readonly expiresAt: number | null
  /** What holds when nobody has decided by then. */
  readonly onTimeout: 'approve' | 'reject'
}

export interface RunRow {
  readonly id: string
  readonly agentId: string
  readonly threadId: string
  readonly agent: AgentRef
  readonly status: RunStatus
  readonly input: string
  readonly answer: string | null
  /** The answer as JSON text that fits the agent's output schema; null when there is none. */
  readonly output: string | null
  readonly error: RunError | null
  readonly usage: Usage
  readonly costUsd: number | null
  readonly steps: number
  readonly toolCalls: readonly { name: string; count: number }[]
  /** The canonical config this run uses, overrides applied. */
  readonly config: string
  readonly origins: Readonly<Record<string, string>>
  /** The run of the thread before this one, those that were asked again left out; null for the first. */
  readonly historyThrough: string | null
  /** The run of the thread whose question this one asks again; no later run is told of it. */
  readonly replaces: string | null
  /** Where a fork goes on from; null for a run that is none. */
  readonly forkedFrom: ForkPoint | null
  /** The run from which all forks of its tree come in the end; null for a run that is no fork. */
  readonly forkRoot: string | null
  /** Given along with the question, as its first event tells; absent when there are none. */
  readonly files?: readonly Artifact[]
  /** Set by an orderly shutdown, so that the recovery that follows is not counted as a crash; the next `run.started` or `run.resumed` clears it. */
  readonly drained: boolean
  /** In the order they were asked. */
  readonly pending: readonly Pending[]
  /** A person has asked for the end: a run that is found so at boot ends instead of going on. */
  readonly cancelling: boolean
  readonly createdAt: number
  readonly startedAt: number | null
  readonly finishedAt: number | null
  /** The last event stored. */
  readonly seq: number
}

/** A run as lists show it: without the texts it started from. */
export type RunSummaryRow = Omit<RunRow, 'config' | 'origins'>

/** A kept file; its bytes stand in the data folder under their hash. */
export interface ArtifactRow extends Artifact {
  readonly threadId: string
  /** Null for what a person gave. */
  readonly runId: string | null
  /** Of the bytes, as hex. */
  readonly sha256: string
  readonly createdAt: number
}

/** An event as it is sent: `json` is the whole event, encoded once. */
export interface EventText {
  readonly seq: number
  readonly type: string
  readonly json: string
}

/** An event on its way to the disk, with its one encoding. */
export interface Appended {
  readonly runId: string
  readonly event: RunEvent
  readonly json: string
}

export interface Page<T> {
  readonly items: T[]
  /** Pass as `cursor` for the items that follow. */
  readonly next?: string
}

/** Whatever takes no moment of a removal knows only agents that stand. */
export interface AgentStore {
  /** By name. */
  heads(): AgentHead[]
  get(id: string): AgentRow | undefined
  byName(name: string): AgentRow | undefined
  /** As `byName`, without reading the drawing. */
  hasName(name: string): boolean
  /** False when the name is taken. */
  insert(row: AgentRow): boolean
  /** Saves over `row.revision - 1`; `stale` when the stored revision is another, `name_taken` when the name is another agent's. */
  update(row: AgentRow): 'saved' | 'stale' | 'name_taken' | 'missing'
  /** Takes it away so that it can be brought back; its name is free at once. False when there is none. */
  remove(id: string, at: number): boolean
  removed(id: string): AgentRow | undefined
  /** Lets a removed one stand again, changed so where given. */
  bringBack(id: string, change?: AgentRow): 'saved' | 'name_taken' | 'missing'
  /** Forgets those removed before this moment, with their versions; returns how many. */
  purge(before: number): number
  versions(agentId: string): VersionRow[]
  version(agentId: string, version: number): VersionRow | undefined
  /** The newest version of every agent that has one, by the agent's id. */
  newestVersions(): ReadonlyMap<string, number>
  insertVersion(row: VersionRow): void
}

export interface RunFilter {
  readonly agentId?: string
  readonly status?: RunStatus
  readonly threadId?: string
  /** Words that all stand in the question, small or capital. */
  readonly search?: string
  readonly cursor?: string
  readonly limit?: number
}

export interface ThreadFilter {
  readonly agentId?: string
  readonly cursor?: string
  readonly limit?: number
}

/** Lists throw an AppError `bad_request` for a cursor that no list gave out. */
export interface RunStore {
  /** Adds the run with its first event, and with it the thread when that is new or gets its title, in one transaction; false when the thread is busy. */
  insert(row: RunRow, queued: RunEvent, thread?: ThreadRow): boolean
  /**
   * Adds a fork with its own thread, the events it took over and the dialogue before it, in one transaction. The row is as
   * those events leave it.
   */
  insertFork(
    row: RunRow,
    from: {
      readonly events: readonly RunEvent[]
      readonly thread: ThreadRow
      readonly history: readonly Message[]
    },
  ): void
  /** The dialogue before the fork with which the thread begins; undefined when it begins with none. */
  historyBefore(threadId: string): readonly Message[] | undefined
  /** A run and all forks that come from it in the end, oldest first; at most `limit`. */
  tree(root: string, limit: number): RunSummaryRow[]
  get(id: string): RunRow | undefined
  /** Newest first. */
  list(filter: RunFilter): Page<RunSummaryRow>
  /** How many the filter fits, on whatever page they stand. */
  count(filter: Omit<RunFilter, 'cursor' | 'limit'>): number
  /** Every run that is not finished, oldest first. */
  unfinished(): RunRow[]
  /** Marks those of the runs that are not finished. */
  markDrained(ids: readonly string[]): void
  /** False when the run is finished or missing. */
  markCancelling(id: string): boolean
  /** Every event, in order. */
  events(runId: string): RunEvent[]
  /** The events without those that only show what a later one says again (law 3). */
  settledEvents(runId: string): RunEvent[]
  /**
   * Events after `after` as stored JSON, for sending without parsing: at most `limit` of them, and none after the one
   * with which their JSON reaches `size` characters.
   */
  eventTexts(runId: string, after: number, limit?: number, size?: number): EventText[]
  /**
   * Appends events of many runs in one transaction and moves the runs' rows along. An event of a run that is finished
   * or missing, or whose seq is not the next one, is left out with all that follow it in its run; returns those runs.
   */
  append(batch: readonly Appended[]): ReadonlySet<string>
  /** Tool schemas as offered, once by hash. */
  saveSchemas(schemas: readonly { hash: string; json: string }[]): void
}

export interface ThreadStore {
  insert(row: ThreadRow): void
  get(id: string): ThreadRow | undefined
  /** False when there is none. */
  rename(id: string, title: string): boolean
  /** The last one used first. */
  list(filter: ThreadFilter): Page<ThreadRow>
  /**
   * Removes the thread with its runs and their events, and notes its files among the discards in the same transaction.
   * Kept files of runs that were forked into other threads go to one of those, since what the forks took over names them.
   */
  remove(id: string): 'removed' | 'busy' | 'missing'
}

export interface SettingsStore {
  get(key: string): JsonValue | undefined
  set(key: string, value: JsonValue): void
}

/** A secret at rest: sealed by the server's key, which the database does not hold. */
export interface SecretRow {
  readonly name: string
  readonly sealed: Uint8Array
  /** The part that may be shown. */
  readonly hint: string
  /** Where the value may go: `https://api.example.com`. */
  readonly origins: readonly string[]
  readonly createdAt: number
  readonly updatedAt: number
}

export interface SecretStore {
  /** By name. */
  list(): SecretRow[]
  get(name: string): SecretRow | undefined
  /** Adds it, or takes the place of the one that stands. */
  put(row: SecretRow): void
  remove(name: string): boolean
}

export interface ArtifactStore {
  insert(row: ArtifactRow): void
  get(id: string): ArtifactRow | undefined
  /** What the run kept, in that order. */
  ofRun(runId: string): ArtifactRow[]
  /** All that the thread has kept together, in bytes. */
  bytesOf(threadId: string): number
  /**
   * Whether a person has put files into the thread behind the row with this number, and the number of its last row, from
   * which to ask on: so each row is looked at once.
   */
  uploadsBehind(threadId: string, row: number): { readonly found: boolean; readonly last: number }
  /** Whether any row has this content. */
  hasContent(sha256: string): boolean
  /** Which artifacts have which content, oldest first, after the artifact with the number `after`; at most `limit`. */
  holders(after: number, limit: number): readonly (Holder & { readonly n: number })[]
}

/** An artifact and the hash of its content. */
export interface Holder {
  readonly id: string
  readonly sha256: string
}

/** Files of removed threads that are still to be deleted: the one record by which files are deleted. */
export interface DiscardStore {
  /** The ids of threads whose workspaces are to be deleted. */
  workspaces(): string[]
  /** Artifacts that are to let go of their content. */
  contents(): Holder[]
  /** Forgets these threads and artifacts: their files are deleted. */
  done(ids: readonly string[]): void
}

/** Why the database cannot be used as it should. */
export interface StoreTrouble {
  /** `full` and `io`: nothing can be written now, reading still works. `broken`: the file is not what it was. */
  readonly fault: 'full' | 'io' | 'broken'
  /** What happened and what to do, for a person. */
  readonly message: string
}

/** What is known of the state of the database file. */
export interface StoreHealth {
  readonly trouble: StoreTrouble | undefined
  /** Looks at the file now and, while there is trouble, tries whether it is over. */
  check(): StoreTrouble | undefined
  /** The listener is called whenever trouble begins, becomes another, or is over. */
  onChange(listener: (trouble: StoreTrouble | undefined) => void): void
}

export interface Stores {
  readonly agents: AgentStore
  readonly runs: RunStore
  readonly threads: ThreadStore
  readonly artifacts: ArtifactStore
  readonly discards: DiscardStore
  readonly settings: SettingsStore
  readonly secrets: SecretStore
  readonly health: StoreHealth
  close(): void
}
