/** The server's one object, the only thing route handlers get: everything behind the API, composed by `serve`. */

import type { z } from 'zod'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument } from '#lib/spec/graph'
import type { JsonObject } from '#lib/spec/json'
import type { TemplateList } from '#lib/wire/agents'
import type { AuthorityView } from '#lib/wire/authority'
import type { CompiledView, DecompiledView } from '#lib/wire/compile'
import type { DryRun, dryRunRequest } from '#lib/wire/dry-run'
import type { ModelTest, TestModel } from '#lib/wire/model-test'
import type { ModelList, ProviderList, ProviderTest, ProviderView, SaveProvider } from '#lib/wire/providers'
import type { SaveSettings, SettingsView } from '#lib/wire/settings'
import type { TriedTool } from '#lib/wire/tools'
import type { Agents } from './agents/agents'
import type { Guard } from './door/guard'
import type { Sessions } from './door/session'
import type { Artifacts } from './files/artifacts'
import type { ThreadFiles } from './files/thread-files'
import type { DatabaseRegistry } from './ports/database-registry'
import type { Runs } from './runs/runs'
import type { Streams } from './runs/streams'
import type { Threads } from './runs/threads'
import type { SecretRegistry } from './secrets/secret-registry'

/** Providers of models. All throw AppErrors; none tells a key. */
export interface ProviderRegistry {
  /** What `kind` of a provider may be. */
  readonly kinds: readonly string[]
  list(): ProviderList
  save(name: string, body: SaveProvider): ProviderView
  remove(name: string): void
  /** Asks it for its models; `unsaved` values are tried in place of those that stand, and nothing is kept of that. */
  test(name: string, unsaved: SaveProvider, signal: AbortSignal): Promise<ProviderTest>
  /** Asks one model of it for a call in each format, and says which to take. Throws for a provider that can not be asked. */
  testModel(name: string, body: TestModel, signal: AbortSignal): Promise<ModelTest>
  /** Asks every provider that is ready and has not been asked in the last minutes. */
  models(): Promise<ModelList>
}

export interface Loopwright {
  readonly version: string
  readonly guard: Guard
  readonly catalog: Catalog
  readonly agents: Agents
  readonly runs: Runs
  readonly threads: Threads
  readonly files: ThreadFiles
  readonly artifacts: Pick<Artifacts, 'open'>
  readonly databases: DatabaseRegistry
  readonly providers: ProviderRegistry
  readonly secrets: SecretRegistry
  readonly streams: Streams
  readonly sessions: Sessions
  /** Agents to begin with. */
  readonly templates: TemplateList
  compile(graph: GraphDocument): CompiledView
  /** What the drawing's agent may do. */
  authority(graph: GraphDocument): Promise<AuthorityView>
  /** What would become of one call of the agent; nothing runs. Throws `not_found` and `not_compiled`. */
  dryRun(agentId: string, asked: z.output<typeof dryRunRequest>): Promise<DryRun>
  /** Throws `invalid_config` when it is no config. */
  decompile(config: JsonObject): DecompiledView
  tryTool(request: { name: string; args: JsonObject; signal: AbortSignal }): Promise<TriedTool>
  settings(): Promise<SettingsView>
  saveSettings(body: SaveSettings): Promise<SettingsView>
  /** Why nothing can be stored just now, for a person; undefined when all is well. */
  trouble(): string | undefined
  /** Told once, which port it has become. */
  listening(port: number): void
}
