/** What the database keeps, as the rest of the server sees it: rows as data, and synchronous calls. */
import type { AgentKeyStore } from './agent-key'
import type { Artifact } from './artifact'
import type { AgentRef, Earlier, ForkPoint, RunError, RunEvent, RunStatus, ToolCount } from './event'
import type { Feedback, Rating } from './feedback'
import type { FigureStore } from './figures'
import type { GraphDocument } from './graph'
import type { JsonValue } from './json'
import type { McpServerStore, McpSignInStore } from './mcp-store'
import type { Message } from './message'
import type { MockedTool, MockSet } from './mock'
import type { Usage } from './model'
import type { OriginalStore } from './originals'
import type { Pending } from './pending'
import type { KnowledgeStore, MemoryStore } from './recall-store'
import type { RemovalStore } from './removal'
import type { RunAgent } from './run-agents'
import type { RunSort } from './run-sort'
import type { SecretStore } from './secret-store'
import type { SkillStore } from './skill-store'
import type { StoreHealth } from './store-health'
import type { ThreadLineStore } from './thread-line'
import type { ThreadPlaceStore } from './thread-place'
import type { TrialStore } from './trial'

export type { SecretRow, SecretStore } from './secret-store'

export interface AgentRow {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly graph: GraphDocument
  /** Canonical bytes; null while the graph has errors. */
  readonly config: string | null
  readonly configHash: string | null
  /** Entry path → node id in the compiled graph. */
  readonly origins: Readonly<Record<string, string>>
  /** Increases by one with every save. */
  readonly revision: number
  readonly createdAt: number
  readonly updatedAt: number
  /**
   * Why the stored drawing cannot be read. `graph` is then empty and `config` null, and neither may be saved
   * over the stored one.
   */
  readonly problem?: string
}

export type RunnableAgent = Pick<AgentRow, 'id' | 'name' | 'config' | 'configHash' | 'origins'>

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

/** Which version it is, with the name of its agent. */
export type VersionKey = Pick<VersionRow, 'agentId' | 'version'> & Pick<AgentRow, 'name'>

export interface ThreadRow {
  readonly id: string
  readonly agentId: string
  readonly title: string
  readonly createdAt: number
  readonly updatedAt: number
  /** Begun in the builder, to try the agent. */
  readonly purpose?: 'test'
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
  readonly toolCalls: readonly ToolCount[]
  /** The canonical config of this run, overrides applied. */
  readonly config: string
  readonly origins: Readonly<Record<string, string>>
  /** The run of the thread before this one, without runs that were asked again; null for the first. */
  readonly historyThrough: string | null
  /** The run of the thread whose question this one asks again; later runs do not see it. */
  readonly replaces: string | null
  /** The point from which a fork continues; null for a run that is not a fork. */
  readonly forkedFrom: ForkPoint | null
  /** The run at the root of its tree of forks; null for a run that is not a fork. */
  readonly forkRoot: string | null
  /** On whose behalf the caller runs the agent; absent when it does not say. */
  readonly user?: string
  /** Calls that failed; absent when there are none, and until the run has ended. */
  readonly failedCalls?: number
  /** What a person said about the answer; absent when nobody did. */
  readonly feedback?: Feedback
  /** The tools whose calls a mock answers; absent when there are none. */
  readonly mocked?: readonly MockedTool[]
  /** Files given with the question, as in its first event; absent when there are none. */
  readonly files?: readonly Artifact[]
  /**
   * Set by an orderly shutdown, so that the next recovery does not count as a crash.
   * Cleared by the next `run.started` or `run.resumed`.
   */
  readonly drained: boolean
  /** It waits until the runs before it in its thread have ended, and has no event yet; absent otherwise. */
  readonly behind?: true
  /** In the order in which they were asked. */
  readonly pending: readonly Pending[]
  /** A person has cancelled the run: if it is found unfinished at boot, it ends instead of resuming. */
  readonly cancelling: boolean
  readonly createdAt: number
  readonly startedAt: number | null
  readonly finishedAt: number | null
  /** The agents that it may call; only where a run is stored, later `agentsOf` has them. */
  readonly agents?: readonly RunAgent[]
  /** The number of the last stored event. */
  readonly seq: number
}

/** A run to be stored, with its mocks. */
export type NewRunRow = RunRow & { readonly mocks?: MockSet }

/** A run as lists show it: without its config. */
export type RunSummaryRow = Omit<RunRow, 'config' | 'origins' | 'agents'>

/** A kept file. Its bytes are in the data folder, named by their hash. */
export interface ArtifactRow extends Omit<Artifact, 'description'> {
  readonly threadId: string
  /** Null for a file that a person gave. */
  readonly runId: string | null
  /** The hash of the bytes, as hex. */
  readonly sha256: string
  readonly createdAt: number
}

/** An event as it is sent: `json` is the whole event, encoded once. */
export interface EventText {
  readonly seq: number
  readonly type: string
  readonly json: string
}

/** An event to be stored, with its one encoding. */
export interface Appended {
  readonly runId: string
  readonly event: RunEvent
  readonly json: string
}

export interface Page<T> {
  readonly items: T[]
  /** Pass as `cursor` to get the next items. */
  readonly next?: string
}

/**
 * Removed agents are hidden from all methods except `removed`, `bringBack`, `purge` and those that read the versions of one agent.
 */
export interface AgentStore {
  /** Sorted by name. */
  heads(): AgentHead[]
  get(id: string): AgentRow | undefined
  /** What a run needs of an agent. The drawing is read only once for each revision, to see whether it can be. */
  runnable(id: string): RunnableAgent | undefined
  byName(name: string): AgentRow | undefined
  /** Like `byName`, without reading the drawing. */
  hasName(name: string): boolean
  /** False when the name is taken. */
  insert(row: AgentRow): boolean
  /**
   * Saves over `row.revision - 1`; `stale` when the stored revision is another, `name_taken` when another
   * agent has the name.
   */
  update(row: AgentRow): 'saved' | 'stale' | 'name_taken' | 'missing'
  /** Removes the agent so that it can be brought back. Its name is free at once. False when there is none. */
  remove(id: string, at: number): boolean
  removed(id: string): AgentRow | undefined
  /** Restores a removed agent, with this change if given. */
  bringBack(id: string, change?: AgentRow): 'saved' | 'name_taken' | 'missing'
  /** Deletes agents removed before this moment, with their versions; returns how many. */
  purge(before: number): number
  versions(agentId: string): VersionRow[]
  version(agentId: string, version: number): VersionRow | undefined
  /** The newest version of every agent that has one, by the agent's id. */
  newestVersions(): ReadonlyMap<string, number>
  /** The newest version of one agent. */
  newestVersion(agentId: string): number | undefined
  /** All versions, by the names of their agents and newest first. No config is read. */
  versionKeys(): VersionKey[]
  /** The config of a version as JSON; undefined when there is none with this text in it. */
  configWith(agentId: string, version: number, text: string): string | undefined
  insertVersion(row: VersionRow): void
}

export interface RunFilter {
  readonly agentId?: string
  readonly status?: RunStatus
  readonly threadId?: string
  /** Words and quoted phrases that must all occur in the question, the answer, the error or a tool's name. */
  readonly search?: string
  /** `provider/name`. */
  readonly model?: string
  /** Runs that called this tool. */
  readonly tool?: string
  readonly feedback?: Rating | 'any'
  /** Runs with failed calls. */
  readonly failed?: boolean
  /** False: without runs that were sent to wait for their thread and have not begun. */
  readonly behind?: false
  readonly costFrom?: number
  readonly costTo?: number
  /** Created at this time or later. */
  readonly since?: number
  /** Created before this time. */
  readonly until?: number
  /** Default: newest. */
  readonly sort?: RunSort
  readonly cursor?: string
  readonly limit?: number
}

export interface ThreadFilter {
  readonly agentId?: string
  /** `test`: only tests; `other`: all but tests. */
  readonly purpose?: 'test' | 'other'
  /** Only threads that were begun with this key. */
  readonly keyId?: string
  readonly cursor?: string
  readonly limit?: number
}

/** Lists throw an AppError `bad_request` for a cursor that no list returned. */
export interface RunStore extends ThreadLineStore<NewRunRow>, ThreadPlaceStore<RunSummaryRow> {
  /**
   * Adds the run with its first event, and its thread when that is new or gets its title, in one transaction.
   * False when the thread is busy. The run is on disk once `sync` has resolved.
   * @param history messages before the question that are in no other run; returned by `placeOf`
   */
  insert(row: NewRunRow, queued: RunEvent, thread?: ThreadRow, history?: readonly Message[]): boolean
  /**
   * Adds a fork with its own thread, the copied events and the dialogue before it, in one transaction. The
   * row must already reflect these events.
   */
  insertFork(
    row: NewRunRow,
    from: {
      readonly events: readonly RunEvent[]
      readonly thread: ThreadRow
      readonly history: readonly Message[]
    },
  ): void
  /** The mocks that the run began with; undefined when it has none. */
  mocksOf(runId: string): MockSet | undefined
  /** A run and all forks below it, oldest first; at most `limit`. */
  tree(root: string, limit: number): RunSummaryRow[]
  /** Deleted runs are hidden here, in lists and in trees. */
  get(id: string): RunRow | undefined
  /** Like `get`, with a run that is deleted but not purged yet. */
  stored(id: string): RunRow | undefined
  list(filter: RunFilter): Page<RunSummaryRow>
  /** Like `list`; `total` is how many runs match the filter on all pages. */
  listCounted(filter: RunFilter): Page<RunSummaryRow> & { readonly total: number }
  /** Null removes it. False when there is no such run. */
  setFeedback(id: string, feedback: Feedback | null): boolean
  /** Every run that is not finished, oldest first. */
  unfinished(): RunRow[]
  /** Marks those of these runs that are not finished. */
  markDrained(ids: readonly string[]): void
  /** False when the run is finished or missing. */
  markCancelling(id: string): boolean
  /** The agents that the run may call, as they were when it was stored. */
  agentsOf(runId: string): RunAgent[]
  /** Every event, in order. */
  events(runId: string): RunEvent[]
  /** The events without those that only show early what a later one repeats (law 3 in docs/design.md). */
  settledEvents(runId: string): RunEvent[]
  /** The events of a few types, in order. */
  eventsOfTypes(runId: string, types: readonly RunEvent['type'][]): RunEvent[]
  /**
   * Events after `after` as stored JSON, which can be sent without parsing. Stops after `limit` events, or
   * after the one with which their JSON reaches `size` characters.
   */
  eventTexts(runId: string, after: number, limit?: number, size?: number): EventText[]
  /**
   * Appends events of many runs in one transaction and updates the rows of the runs. An event is left out if
   * its run is finished or missing, or if its seq is not the next one; so are all later events of its run.
   * Returns those runs. The others' events are on disk once `sync` has resolved; until then no client may see them.
   */
  append(batch: readonly Appended[]): ReadonlySet<string>
  /** Resolves when all that was written before is on disk; the event loop is not blocked. */
  sync(): Promise<void>
  /** The same, blocking. */
  syncNow(): void
  /** Schemas of offered tools, stored once by hash. */
  saveSchemas(schemas: readonly { hash: string; json: string }[]): void
}

export interface ThreadStore {
  insert(row: ThreadRow): void
  get(id: string): ThreadRow | undefined
  /** False when there is no such thread. */
  rename(id: string, title: string): boolean
  /** The last used first. */
  list(filter: ThreadFilter): Page<ThreadRow>
  /**
   * Removes the thread with its runs and their events, and records its files in the discards, in the same
   * transaction. Kept files of runs that were forked into other threads move to one of those, since the
   * copied events name them.
   */
  remove(id: string): 'removed' | 'busy' | 'missing'
  /** What deleted runs brought into the thread; undefined when none was deleted. */
  earlier(id: string): Earlier | undefined
}

export interface SettingsStore {
  get(key: string): JsonValue | undefined
  set(key: string, value: JsonValue): void
}

export interface ArtifactStore {
  insert(row: ArtifactRow): void
  get(id: string): ArtifactRow | undefined
  /** The artifacts that the run kept, in order. */
  ofRun(runId: string): ArtifactRow[]
  /** The total size of what the thread has kept, in bytes. */
  bytesOf(threadId: string): number
  /**
   * Whether a person has put files into the thread after the row with this number, and the number of its last
   * row, from which to continue: so each row is read once.
   */
  uploadsBehind(threadId: string, row: number): { readonly found: boolean; readonly last: number }
  /** Whether any row has this content. */
  hasContent(sha256: string): boolean
  /** What the files of the thread's workspace are, by path. */
  descriptions(threadId: string): ReadonlyMap<string, string>
  /** Says what a file is; an empty text takes back what was said. */
  describe(threadId: string, path: string, description: string): void
  /** Says of the files of one thread what is said of the same files of another. */
  copyDescriptions(from: string, to: string): void
  /** Artifacts with their content's hash, oldest first, after number `after`; at most `limit`. */
  holders(after: number, limit: number): readonly (Holder & { readonly n: number })[]
}

/** An artifact and the hash of its content. */
export interface Holder {
  readonly id: string
  readonly sha256: string
}

/** Files of removed threads that are still to be deleted. Files are deleted only through this record. */
export interface DiscardStore {
  /** The ids of threads whose workspaces are to be deleted. */
  workspaces(): string[]
  /** Artifacts whose content is to be released. */
  contents(): Holder[]
  /** Removes these threads and artifacts from the record, since their files are deleted. */
  done(ids: readonly string[]): void
}

export interface Stores {
  readonly agents: AgentStore
  readonly runs: RunStore
  readonly removals: RemovalStore
  readonly figures: FigureStore
  readonly threads: ThreadStore
  readonly artifacts: ArtifactStore
  readonly discards: DiscardStore
  readonly settings: SettingsStore
  readonly secrets: SecretStore
  readonly originals: OriginalStore
  readonly mcpServers: McpServerStore
  readonly mcpSignIns: McpSignInStore
  readonly keys: AgentKeyStore
  readonly trials: TrialStore
  readonly memories: MemoryStore
  readonly knowledge: KnowledgeStore
  readonly skills: SkillStore
  readonly health: StoreHealth
  close(): void
}
