/**
 * The server's one object: everything behind the API, composed by `serve`. Route handlers get nothing else.
 */

import type { z } from 'zod'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument } from '#lib/spec/graph'
import type { JsonObject } from '#lib/spec/json'
import type { WalledKind } from '#lib/spec/walls'
import type { TemplateList } from '#lib/wire/agents'
import type { AuthorityView } from '#lib/wire/authority'
import type { CompiledView, DecompiledView } from '#lib/wire/compile'
import type { DryRun, dryRunRequest } from '#lib/wire/dry-run'
import type { Insights, InsightsQuery } from '#lib/wire/insights'
import type { ModelTest, TestModel } from '#lib/wire/model-test'
import type { ModelList, ProviderList, ProviderTest, ProviderView, SaveProvider } from '#lib/wire/providers'
import type { RunChoices } from '#lib/wire/runs'
import type { SandboxView } from '#lib/wire/sandbox'
import type { SaveSettings, SettingsView } from '#lib/wire/settings'
import type { ToolRenderings } from '#lib/wire/tool-renderings'
import type { TriedTool, tryEntry } from '#lib/wire/tools'
import type { Agents } from './agents/agents'
import type { AgentMocks } from './agents/mocks'
import type { AgentKeys } from './door/agent-keys'
import type { Guard } from './door/guard'
import type { Sessions } from './door/session'
import type { Artifacts } from './files/artifacts'
import type { ThreadFiles } from './files/thread-files'
import type { McpServerRegistry } from './mcp/registry'
import type { McpSignIns } from './mcp/sign-ins'
import type { KeyRuns } from './outlet/key-runs'
import type { McpOutlet } from './outlet/mcp-outlet'
import type { AgentTrials } from './ports/agent-trials'
import type { DatabaseRegistry } from './ports/database-registry'
import type { OpenapiDocuments } from './ports/openapi-documents'
import type { SkillRegistry } from './ports/skills'
import type { WallPackages } from './ports/wall-packages'
import type { WebSearchRegistry } from './ports/web-search'
import type { Embeddings } from './recall/embeddings'
import type { Knowledge } from './recall/knowledge'
import type { Memory } from './recall/memory'
import type { RunRemovals } from './runs/run-removal'
import type { Runs } from './runs/runs'
import type { Streams } from './runs/streams'
import type { Threads } from './runs/threads'
import type { SecretRegistry } from './secrets/secret-registry'

/** Providers of models. All methods throw AppErrors; none returns an API key. */
export interface ProviderRegistry {
  /** The values that `kind` of a provider may have. */
  readonly kinds: readonly string[]
  list(): ProviderList
  save(name: string, body: SaveProvider): ProviderView
  remove(name: string): void
  /** Asks the provider for its models. `unsaved` values replace the stored ones for this test only. */
  test(name: string, unsaved: SaveProvider, signal: AbortSignal): Promise<ProviderTest>
  /**
   * Asks one model of the provider for a call in each format, and recommends a format.
   * Throws for a provider that cannot be called.
   */
  testModel(name: string, body: TestModel, signal: AbortSignal): Promise<ModelTest>
  /** Asks every provider that is ready and was not asked in the last minutes. */
  models(): Promise<ModelList>
}

export interface Loopwright {
  readonly version: string
  readonly guard: Guard
  readonly catalog: Catalog
  readonly agents: Agents
  readonly runs: Runs
  readonly removals: Omit<RunRemovals, 'finish'>
  readonly threads: Threads
  /** Keys that let others use an agent. */
  readonly keys: AgentKeys
  /** What the holders of keys may do. */
  readonly keyRuns: KeyRuns
  /** Agents as MCP servers. */
  readonly mcp: McpOutlet
  readonly files: ThreadFiles
  readonly artifacts: Pick<Artifacts, 'open'>
  readonly databases: DatabaseRegistry
  readonly webSearch: WebSearchRegistry
  readonly mcpServers: McpServerRegistry
  readonly mcpSignIns: McpSignIns
  readonly openapiDocuments: OpenapiDocuments
  /** What agents remember. */
  readonly memory: Omit<Memory, 'port'>
  readonly knowledge: Omit<Knowledge, 'search' | 'names'>
  /** The model that compares texts by meaning. */
  readonly embeddings: Pick<Embeddings, 'view' | 'save'>
  readonly skills: SkillRegistry
  readonly providers: ProviderRegistry
  readonly secrets: SecretRegistry
  readonly streams: Streams
  readonly sessions: Sessions
  /** Example agents to start from. */
  readonly templates: TemplateList
  /** The models and tools that occur in runs. */
  runChoices(): RunChoices
  /** The figures of an agent's runs, also of an agent that was deleted. */
  insights(agentId: string, query: InsightsQuery): Insights
  compile(graph: GraphDocument): CompiledView
  /** What the drawing's agent may do. */
  authority(graph: GraphDocument): Promise<AuthorityView>
  /** The offered tools as models read them, of the saved drawing or of this one. Throws `not_found` and `not_compiled`. */
  toolRenderings(agentId: string, graph?: GraphDocument): Promise<ToolRenderings>
  /** What would happen to one call of the agent; nothing runs. Throws `not_found` and `not_compiled`. */
  dryRun(agentId: string, asked: z.output<typeof dryRunRequest>): Promise<DryRun>
  /** Throws `invalid_config` when the config is not valid. */
  decompile(config: JsonObject): DecompiledView
  tryTool(request: { name: string; args: JsonObject; signal: AbortSignal }): Promise<TriedTool>
  /** The tools of an agent's draft, tried by hand. */
  readonly trials: AgentTrials
  /** What answers calls of tools in runs of a draft. */
  readonly mocks: AgentMocks
  /** The walls around foreign code, of one kind or of all; tests those that have to be known. */
  sandbox(kind?: WalledKind): Promise<SandboxView>
  /** Tests every wall again. */
  testSandbox(): Promise<SandboxView>
  /** Runs one tool of an entry of a config. Throws `invalid_config`, `not_found` and `bad_request`. */
  tryEntry(request: z.output<typeof tryEntry> & { signal: AbortSignal }): Promise<TriedTool>
  /** The programs that can be installed for the sandbox. */
  readonly wallPackages: WallPackages
  settings(): Promise<SettingsView>
  saveSettings(body: SaveSettings): Promise<SettingsView>
  /** Why nothing can be stored right now, for a person; undefined when the storage works. */
  trouble(): string | undefined
  /** Called once with the port that the server listens on. */
  listening(port: number): void
}
