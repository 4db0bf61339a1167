/** The API as typed functions, for the browser. Failures throw `ApiError`. */
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument } from '#lib/spec/graph'
import type { JsonObject } from '#lib/spec/json'
import type {
  AgentList,
  AgentView,
  CreateAgent,
  ImportedAgent,
  SaveAgent,
  TemplateList,
  VersionList,
  VersionView,
} from '#lib/wire/agents'
import type { Artifact, FileList } from '#lib/wire/artifacts'
import type { AuthorityView } from '#lib/wire/authority'
import { call } from './call'
import type { CompiledView, DecompiledView } from '#lib/wire/compile'
import type { DatabaseList, DatabaseView, RegisterDatabase } from '#lib/wire/databases'
import type { DryRun, DryRunRequest } from '#lib/wire/dry-run'
import type { Health } from '#lib/wire/health'
import type { ModelTest, TestModel } from '#lib/wire/model-test'
import type { ModelList, ProviderList, ProviderTest, ProviderView, SaveProvider } from '#lib/wire/providers'
import type {
  BranchList,
  CreatedRun,
  CreateRun,
  DecideCall,
  EventList,
  ForkRun,
  RunList,
  RunQuery,
  RunView,
  StepRequest,
} from '#lib/wire/runs'
import type { SaveSecret, SecretList, SecretView } from '#lib/wire/secrets'
import type { SaveSettings, SettingsView } from '#lib/wire/settings'
import type {
  CreateThread,
  RenameThread,
  ThreadList,
  ThreadQuery,
  ThreadSummary,
  ThreadView,
} from '#lib/wire/threads'
import type { TriedTool } from '#lib/wire/tools'

export { ApiError } from './call'
export { type Connection, type WatchOptions, watchRun } from './watch'

const at = (...parts: (string | number)[]) => `/api/${parts.map(encodeURIComponent).join('/')}`

const agents = {
  list: (signal?: AbortSignal) => call<AgentList>(at('agents'), { signal }),
  get: (id: string, signal?: AbortSignal) => call<AgentView>(at('agents', id), { signal }),
  create: (body: CreateAgent) => call<AgentView>(at('agents'), { method: 'POST', body }),
  /** Throws `stale_revision` (409) with the stored agent as `detail.current`. */
  save: (id: string, body: SaveAgent, signal?: AbortSignal) =>
    call<AgentView>(at('agents', id), { method: 'PUT', body, signal }),
  /** It leaves the list and can be brought back; its runs stay. */
  remove: (id: string) => call<void>(at('agents', id), { method: 'DELETE' }),
  /** Brings back an agent that was removed; under the next free name where its own is taken. */
  bringBack: (id: string) => call<AgentView>(at('agents', id, 'restore'), { method: 'POST', body: {} }),
  /** A copy under the next free name. */
  duplicate: (id: string) => call<AgentView>(at('agents', id, 'duplicate'), { method: 'POST', body: {} }),
  /** Agents to begin with. */
  templates: (signal?: AbortSignal) => call<TemplateList>(at('templates'), { signal }),
  /** `text` is the file. Throws `name_taken` (409) unless `rename` lets the server pick the next free name. */
  importFile: (text: string, rename = false) =>
    call<ImportedAgent>(at('agents', 'import'), {
      method: 'POST',
      body: text,
      query: { rename: rename ? 1 : undefined },
    }),
  /** Where the exported file can be fetched, byte for byte. */
  exportUrl: (id: string) => at('agents', id, 'export'),
  /** What would become of a call; nothing runs. Throws `not_compiled` while the drawing has errors. */
  dryRun: (id: string, body: DryRunRequest, signal?: AbortSignal) =>
    call<DryRun>(at('agents', id, 'dry-run'), { method: 'POST', body, signal }),
  versions: {
    list: (id: string, signal?: AbortSignal) => call<VersionList>(at('agents', id, 'versions'), { signal }),
    publish: (id: string, revision?: number) =>
      call<VersionView>(at('agents', id, 'versions'), { method: 'POST', body: { revision } }),
    restore: (id: string, version: number, revision?: number) =>
      call<AgentView>(at('agents', id, 'versions', version, 'restore'), {
        method: 'POST',
        body: { revision },
      }),
  },
}

const runs = {
  create: (agentId: string, body: CreateRun) =>
    call<CreatedRun>(at('agents', agentId, 'runs'), { method: 'POST', body }),
  list: (filter: RunQuery = {}, signal?: AbortSignal) => call<RunList>(at('runs'), { query: filter, signal }),
  get: (id: string, signal?: AbortSignal) => call<RunView>(at('runs', id), { signal }),
  /** Every event so far. */
  events: (id: string, signal?: AbortSignal) => call<EventList>(at('runs', id, 'events'), { signal }),
  /** Asked for again it is the same answer; a finished run is given back as it is. */
  cancel: (id: string) => call<RunView>(at('runs', id, 'cancel'), { method: 'POST', body: {} }),
  /** Said again it is the same answer; another word is a `conflict`. */
  decide: (id: string, callId: string, body: DecideCall) =>
    call<RunView>(at('runs', id, 'approvals', callId), { method: 'POST', body }),
  /** A run that goes on from a step of this one. */
  fork: (id: string, body: ForkRun) => call<CreatedRun>(at('runs', id, 'fork'), { method: 'POST', body }),
  branches: (id: string, signal?: AbortSignal) => call<BranchList>(at('runs', id, 'branches'), { signal }),
  /** The model request of a step, re-encoded. */
  request: (id: string, step: number, signal?: AbortSignal) =>
    call<StepRequest>(at('runs', id, 'requests', step), { signal }),
}

const threads = {
  list: (filter: ThreadQuery = {}, signal?: AbortSignal) =>
    call<ThreadList>(at('threads'), { query: filter, signal }),
  get: (id: string, signal?: AbortSignal) => call<ThreadView>(at('threads', id), { signal }),
  create: (body: CreateThread) => call<ThreadSummary>(at('threads'), { method: 'POST', body }),
  rename: (id: string, body: RenameThread) => call<ThreadSummary>(at('threads', id), { method: 'PUT', body }),
  /** With its runs and all their events. */
  remove: (id: string) => call<void>(at('threads', id), { method: 'DELETE' }),
  files: {
    list: (id: string, signal?: AbortSignal) => call<FileList>(at('threads', id, 'files'), { signal }),
    /** Kept, and put into the thread's workspace; its id goes along with the question. */
    upload: (id: string, file: File, signal?: AbortSignal) =>
      call<Artifact>(at('threads', id, 'files'), {
        method: 'POST',
        body: file,
        query: { name: file.name },
        signal,
      }),
    /** Where a file of the workspace can be fetched. */
    url: (id: string, path: string) => at('threads', id, 'files', ...path.split('/')),
  },
}

const databases = {
  list: (signal?: AbortSignal) => call<DatabaseList>(at('databases'), { signal }),
  register: (body: RegisterDatabase) => call<DatabaseView>(at('databases'), { method: 'PUT', body }),
  remove: (name: string) => call<void>(at('databases', name), { method: 'DELETE' }),
}

const providers = {
  list: (signal?: AbortSignal) => call<ProviderList>(at('providers'), { signal }),
  /** A name that is not known yet becomes an OpenAI-compatible endpoint. */
  save: (name: string, body: SaveProvider) =>
    call<ProviderView>(at('providers', name), { method: 'PUT', body }),
  /** Forgets an endpoint, or what was set for `openai` and `anthropic`. */
  remove: (name: string) => call<void>(at('providers', name), { method: 'DELETE' }),
  /** Asks it for its models; `unsaved` values are tried in place of those that stand, and nothing is kept. */
  test: (name: string, unsaved: SaveProvider = {}, signal?: AbortSignal) =>
    call<ProviderTest>(at('providers', name, 'test'), { method: 'POST', body: unsaved, signal }),
  /** Asks one model for a call in the formats named, or in all that are needed to tell which to take. */
  testModel: (name: string, body: TestModel, signal?: AbortSignal) =>
    call<ModelTest>(at('providers', name, 'test-model'), { method: 'POST', body, signal }),
}

const secrets = {
  list: (signal?: AbortSignal) => call<SecretList>(at('secrets'), { signal }),
  save: (name: string, body: SaveSecret) => call<SecretView>(at('secrets', name), { method: 'PUT', body }),
  remove: (name: string) => call<void>(at('secrets', name), { method: 'DELETE' }),
}

export const api = {
  agents,
  runs,
  threads,
  databases,
  providers,
  secrets,
  /** The models that ready providers have; asked for again it answers from memory for a while. */
  models: (signal?: AbortSignal) => call<ModelList>(at('models'), { signal }),
  /** Where an artifact can be fetched, as a file to save. */
  artifactUrl: (id: string) => at('artifacts', id),
  tools: {
    try: (name: string, args: JsonObject, signal?: AbortSignal) =>
      call<TriedTool>(at('tools', name, 'try'), { method: 'POST', body: { args }, signal }),
  },
  compile: (graph: GraphDocument, signal?: AbortSignal) =>
    call<CompiledView>(at('compile'), { method: 'POST', body: { graph }, signal }),
  /** What the drawing's agent may do; null while it has errors. */
  authority: (graph: GraphDocument, signal?: AbortSignal) =>
    call<AuthorityView>(at('authority'), { method: 'POST', body: { graph }, signal }),
  decompile: (config: JsonObject, signal?: AbortSignal) =>
    call<DecompiledView>(at('decompile'), { method: 'POST', body: { config }, signal }),
  catalog: (signal?: AbortSignal) => call<Catalog>(at('catalog'), { signal }),
  settings: (signal?: AbortSignal) => call<SettingsView>(at('settings'), { signal }),
  saveSettings: (body: SaveSettings) => call<SettingsView>(at('settings'), { method: 'PUT', body }),
  health: (signal?: AbortSignal) => call<Health>(at('health'), { signal }),
}
