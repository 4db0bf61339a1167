/** The server's one object, the only thing route handlers get: everything behind the API, composed by `serve`. */
import type { AgentList, AgentView, CreateAgent, SaveAgent, VersionList, VersionView } from '#lib/http/agents'
import type { CompiledView, DecompiledView } from '#lib/http/compile'
import type { DatabaseList, DatabaseView, RegisterDatabase } from '#lib/http/databases'
import type { SettingsView } from '#lib/http/settings'
import type { TriedTool } from '#lib/http/tools'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument } from '#lib/spec/graph'
import type { JsonObject, JsonValue } from '#lib/spec/json'
import type { Guard } from './guard'
import type { Runs } from './runs'
import type { Sessions } from './session'
import type { Streams } from './streams'
import type { Threads } from './threads'

/** Agents as the API knows them. All throw AppErrors. */
export interface Agents {
  list(): AgentList
  get(id: string): AgentView
  create(body: CreateAgent): AgentView
  /** `value` is what the file holds. */
  importFile(value: JsonValue, options: { rename: boolean }): AgentView
  save(id: string, body: SaveAgent): AgentView
  remove(id: string): void
  /** The canonical bytes, and a name for the file. */
  exported(id: string): { text: string; fileName: string }
  versions(id: string): VersionList
  publish(id: string, at: { revision?: number }): VersionView
  restore(id: string, version: number, at: { revision?: number }): AgentView
}

/** SQLite files that SQL tools may read. */
export interface DatabaseRegistry {
  list(): DatabaseList
  register(request: RegisterDatabase): DatabaseView
  remove(name: string): void
}

export interface Loopwright {
  readonly version: string
  readonly guard: Guard
  readonly catalog: Catalog
  readonly agents: Agents
  readonly runs: Runs
  readonly threads: Threads
  readonly databases: DatabaseRegistry
  readonly streams: Streams
  readonly sessions: Sessions
  compile(graph: GraphDocument): CompiledView
  /** Throws `invalid_config` when it is no config. */
  decompile(config: JsonObject): DecompiledView
  tryTool(request: { name: string; args: JsonObject; signal: AbortSignal }): Promise<TriedTool>
  settings(): SettingsView
  /** Told once, which port it has become. */
  listening(port: number): void
}
