/**
 * The API as typed functions for the browser; types come from the table of routes. Failures throw `ApiError`.
 */
import type { GraphDocument } from '#lib/spec/graph'
import type { JsonObject } from '#lib/spec/json'
import type { WalledKind } from '#lib/spec/walls'
import type { CreateAgentKey } from '#lib/wire/agent-keys'
import type { CreateAgent, SaveAgent } from '#lib/wire/agents'
import type { DescribeFile } from '#lib/wire/artifacts'
import { callInAddress } from '#lib/wire/call-address'
import type { RegisterDatabase, SaveConnection, TestDatabase } from '#lib/wire/databases'
import type { DryRunRequest } from '#lib/wire/dry-run'
import type { CreateCollection, SaveEmbeddings, SearchCollections } from '#lib/wire/knowledge'
import type {
  AddMcpServer,
  ConsentToMcpServer,
  DecideMcpTools,
  ImportMcpServers,
  SaveMcpServer,
} from '#lib/wire/mcp-servers'
import type { BeginMcpSignIn, FinishMcpSignIn } from '#lib/wire/mcp-sign-in'
import type { EditMemory, ForgetMemory, MemoryQuery } from '#lib/wire/memory'
import type { TestModel } from '#lib/wire/model-test'
import type { AddOpenapiDocument } from '#lib/wire/openapi-documents'
import type { EditPlan } from '#lib/wire/plan'
import type { SaveProvider } from '#lib/wire/providers'
import type { CreateRun, DecideCall, ForkRun, GiveFeedback, GiveReply, RunQuery } from '#lib/wire/runs'
import type { SaveSecret } from '#lib/wire/secrets'
import type { SaveSettings } from '#lib/wire/settings'
import type { CreateThread, RenameThread, ThreadQuery } from '#lib/wire/threads'
import type { TryEntry } from '#lib/wire/tools'
import type { ReplyInTry, SaveMock } from '#lib/wire/trials'
import type { SaveWebSearch } from '#lib/wire/web-search'
import { addressOf, call, request } from './call'

export { ApiError } from './call'
export { type Connection, type WatchOptions, watchRun } from './watch'

/** A step of a run, or of a run inside one of its calls. */
export interface StepPlace {
  readonly step: number
  /** The ids of the calls around the run inside, joined by `/`. */
  readonly parent?: string | undefined
}

const agents = {
  list: (signal?: AbortSignal) => call('GET /api/agents', { signal }),
  get: (id: string, signal?: AbortSignal) => call('GET /api/agents/{id}', { params: { id }, signal }),
  create: (body: CreateAgent) => call('POST /api/agents', { body }),
  /** Throws `stale_revision` (409) with the stored agent as `detail.current`. */
  save: (id: string, body: SaveAgent, signal?: AbortSignal) =>
    call('PUT /api/agents/{id}', { params: { id }, body, signal }),
  /** Removes it from the list; it can be restored, and its runs stay. */
  remove: (id: string) => call('DELETE /api/agents/{id}', { params: { id } }),
  /** Restores a removed agent, under the next free name if its own is taken. */
  bringBack: (id: string) => call('POST /api/agents/{id}/restore', { params: { id }, body: {} }),
  /** A copy under the next free name. */
  duplicate: (id: string) => call('POST /api/agents/{id}/duplicate', { params: { id }, body: {} }),
  /** The agent templates. */
  templates: (signal?: AbortSignal) => call('GET /api/templates', { signal }),
  /** `text` is the file. Throws `name_taken` (409) unless `rename` lets the server pick the next free name. */
  importFile: (text: string, rename = false) =>
    call('POST /api/agents/import', { body: text, query: { rename: rename ? '1' : undefined } }),
  /** The address of the exported file, byte for byte. */
  exportUrl: (id: string) => addressOf('GET /api/agents/{id}/export', { id }),
  /**
   * What the policies would do with a call; nothing runs. Throws `not_compiled` while the drawing has errors.
   */
  dryRun: (id: string, body: DryRunRequest, signal?: AbortSignal) =>
    call('POST /api/agents/{id}/dry-run', { params: { id }, body, signal }),
  /** The tools of a drawing as models read them. */
  toolRenderings: (id: string, graph: GraphDocument, signal?: AbortSignal) =>
    call('POST /api/agents/{id}/tools', { params: { id }, body: { graph }, signal }),
  /** The tools of its saved drawing as models read them. */
  toolRenderingsOf: (id: string, signal?: AbortSignal) =>
    call('GET /api/agents/{id}/tools', { params: { id }, signal }),
  /** Figures of its runs over the last days, by the calendar of this browser. */
  insights: (id: string, days: number, signal?: AbortSignal) =>
    call('GET /api/agents/{id}/insights', {
      params: { id },
      query: { days, offset: -new Date().getTimezoneOffset() },
      signal,
    }),
  keys: {
    list: (id: string, signal?: AbortSignal) => call('GET /api/agents/{id}/keys', { params: { id }, signal }),
    /** The text of the key is in this answer only. */
    create: (id: string, body: CreateAgentKey) =>
      call('POST /api/agents/{id}/keys', { params: { id }, body }),
    revoke: (id: string, keyId: string) =>
      call('DELETE /api/agents/{id}/keys/{keyId}', { params: { id, keyId } }),
  },
  versions: {
    list: (id: string, signal?: AbortSignal) =>
      call('GET /api/agents/{id}/versions', { params: { id }, signal }),
    publish: (id: string, revision?: number) =>
      call('POST /api/agents/{id}/versions', { params: { id }, body: { revision } }),
    restore: (id: string, version: number, revision?: number) =>
      call('POST /api/agents/{id}/versions/{version}/restore', {
        params: { id, version },
        body: { revision },
      }),
  },
}

const runs = {
  create: (id: string, body: CreateRun) => call('POST /api/agents/{id}/runs', { params: { id }, body }),
  list: (query: RunQuery = {}, signal?: AbortSignal) => call('GET /api/runs', { query, signal }),
  get: (id: string, signal?: AbortSignal) => call('GET /api/runs/{id}', { params: { id }, signal }),
  choices: (signal?: AbortSignal) => call('GET /api/runs/choices', { signal }),
  /** Deletes finished runs; the others are named in the answer. */
  remove: (ids: readonly string[]) => call('POST /api/runs/delete', { body: { ids: [...ids] } }),
  /** Restores runs deleted in the last ten seconds. */
  bringBack: (ids: readonly string[]) => call('POST /api/runs/restore', { body: { ids: [...ids] } }),
  /** Throws `stale_revision` (409) with the present plan as `detail.current`. */
  editPlan: (id: string, body: EditPlan) => call('PUT /api/runs/{id}/plan', { params: { id }, body }),
  rate: (id: string, body: GiveFeedback) => call('PUT /api/runs/{id}/feedback', { params: { id }, body }),
  unrate: (id: string) => call('DELETE /api/runs/{id}/feedback', { params: { id } }),
  /** Every event so far. */
  events: (id: string, signal?: AbortSignal) => call('GET /api/runs/{id}/events', { params: { id }, signal }),
  /** Deletes a run that waits for its thread; throws `conflict` once it has begun. */
  withdraw: (id: string) => call('POST /api/runs/{id}/withdraw', { params: { id }, body: {} }),
  /** Repeating it gives the same answer; a finished run is returned unchanged. */
  cancel: (id: string) => call('POST /api/runs/{id}/cancel', { params: { id }, body: {} }),
  /** Repeating a decision gives the same answer; a different decision throws `conflict`. */
  decide: (id: string, callId: string, body: DecideCall) =>
    call('POST /api/runs/{id}/approvals/{callId}', { params: { id, callId: callInAddress(callId) }, body }),
  /** Repeating a reply gives the same answer; a different reply throws `conflict`. */
  reply: (id: string, callId: string, body: GiveReply) =>
    call('POST /api/runs/{id}/replies/{callId}', { params: { id, callId: callInAddress(callId) }, body }),
  /** Forks a run from a step of this one. */
  fork: (id: string, body: ForkRun) => call('POST /api/runs/{id}/fork', { params: { id }, body }),
  branches: (id: string, signal?: AbortSignal) =>
    call('GET /api/runs/{id}/branches', { params: { id }, signal }),
  /** The model request of a step, re-encoded. */
  request: (id: string, { step, parent }: StepPlace, signal?: AbortSignal) =>
    call('GET /api/runs/{id}/requests/{step}', {
      params: { id, step },
      query: { parent: parent && callInAddress(parent) },
      signal,
    }),
}

const threads = {
  list: (query: ThreadQuery = {}, signal?: AbortSignal) => call('GET /api/threads', { query, signal }),
  get: (id: string, signal?: AbortSignal) => call('GET /api/threads/{id}', { params: { id }, signal }),
  create: (body: CreateThread) => call('POST /api/threads', { body }),
  rename: (id: string, body: RenameThread) => call('PUT /api/threads/{id}', { params: { id }, body }),
  /** Removes it with its runs and all their events. */
  remove: (id: string) => call('DELETE /api/threads/{id}', { params: { id } }),
  files: {
    list: (id: string, signal?: AbortSignal) =>
      call('GET /api/threads/{id}/files', { params: { id }, signal }),
    /** Stores the file in the thread's workspace; its id is sent along with the question. */
    upload: (id: string, file: File, signal?: AbortSignal) =>
      call('POST /api/threads/{id}/files', {
        params: { id },
        query: { name: file.name },
        body: file,
        signal,
      }),
    describe: (id: string, path: string, body: DescribeFile) =>
      call('PUT /api/threads/{id}/descriptions/{...path}', { params: { id, path }, body }),
    /** The address of a file in the workspace. */
    url: (id: string, path: string) => addressOf('GET /api/threads/{id}/files/{...path}', { id, path }),
  },
}

const databases = {
  list: (signal?: AbortSignal) => call('GET /api/databases', { signal }),
  register: (body: RegisterDatabase) => call('PUT /api/databases', { body }),
  connect: (name: string, body: SaveConnection) =>
    call('PUT /api/databases/{name}/connection', { params: { name }, body }),
  test: (name: string, body: TestDatabase) =>
    call('POST /api/databases/{name}/test', { params: { name }, body }),
  remove: (name: string) => call('DELETE /api/databases/{name}', { params: { name } }),
}

const webSearch = {
  get: (signal?: AbortSignal) => call('GET /api/web-search', { signal }),
  save: (body: SaveWebSearch) => call('PUT /api/web-search', { body }),
  remove: () => call('DELETE /api/web-search', {}),
  /** Searches once; what is typed is used in place of what is stored, and is not stored. */
  test: (search?: SaveWebSearch) => call('POST /api/web-search/test', { body: search ? { search } : {} }),
}

const providers = {
  list: (signal?: AbortSignal) => call('GET /api/providers', { signal }),
  /** A new name creates an OpenAI-compatible endpoint. */
  save: (name: string, body: SaveProvider) => call('PUT /api/providers/{name}', { params: { name }, body }),
  /** Deletes an endpoint, or the settings of a built-in provider. */
  remove: (name: string) => call('DELETE /api/providers/{name}', { params: { name } }),
  /**
   * Asks the provider for its models; `unsaved` values are used in place of the saved ones, and are not
   * stored.
   */
  test: (name: string, unsaved: SaveProvider = {}, signal?: AbortSignal) =>
    call('POST /api/providers/{name}/test', { params: { name }, body: unsaved, signal }),
  /**
   * Tests whether one model makes a call in the named formats, or in as many as are needed for a
   * recommendation.
   */
  testModel: (name: string, body: TestModel, signal?: AbortSignal) =>
    call('POST /api/providers/{name}/test-model', { params: { name }, body, signal }),
}

const mcpServers = {
  list: (signal?: AbortSignal) => call('GET /api/mcp-servers', { signal }),
  /** With its tools, and the agents that use it. */
  get: (name: string, signal?: AbortSignal) =>
    call('GET /api/mcp-servers/{name}', { params: { name }, signal }),
  add: (body: AddMcpServer) => call('POST /api/mcp-servers', { body }),
  save: (name: string, body: SaveMcpServer) =>
    call('PUT /api/mcp-servers/{name}', { params: { name }, body }),
  remove: (name: string) => call('DELETE /api/mcp-servers/{name}', { params: { name } }),
  /** With `preview`, only reports what would happen. */
  importJson: (body: ImportMcpServers) => call('POST /api/mcp-servers/import', { body }),
  /** Connects it and lists its tools. */
  test: (name: string, signal?: AbortSignal) =>
    call('POST /api/mcp-servers/{name}/test', { params: { name }, signal }),
  /** Confirms one command; throws `conflict` if it has changed since. */
  consent: (name: string, body: ConsentToMcpServer) =>
    call('POST /api/mcp-servers/{name}/consent', { params: { name }, body }),
  decide: (name: string, body: DecideMcpTools) =>
    call('POST /api/mcp-servers/{name}/tools', { params: { name }, body }),
  /** Throws with the path `clientId` if a person must register Loopwright at the service. */
  signIn: (name: string, body: BeginMcpSignIn) =>
    call('POST /api/mcp-servers/{name}/sign-in', { params: { name }, body }),
  finishSignIn: (body: FinishMcpSignIn) => call('POST /api/mcp-sign-in', { body }),
  signOut: (name: string) => call('POST /api/mcp-servers/{name}/sign-out', { params: { name } }),
}

const secrets = {
  list: (signal?: AbortSignal) => call('GET /api/secrets', { signal }),
  save: (name: string, body: SaveSecret) => call('PUT /api/secrets/{name}', { params: { name }, body }),
  remove: (name: string) => call('DELETE /api/secrets/{name}', { params: { name } }),
}

const knowledge = {
  list: (signal?: AbortSignal) => call('GET /api/knowledge', { signal }),
  get: (name: string, signal?: AbortSignal) =>
    call('GET /api/knowledge/{name}', { params: { name }, signal }),
  create: (body: CreateCollection) => call('POST /api/knowledge', { body }),
  remove: (name: string) => call('DELETE /api/knowledge/{name}', { params: { name } }),
  /** Reads the file on the server; it replaces a file of the same name. */
  addFile: (name: string, file: File, onSent: (bytes: number) => void) =>
    call('POST /api/knowledge/{name}/files', {
      params: { name },
      query: { name: file.name },
      body: file,
      onSent,
    }),
  removeFile: (name: string, id: string) =>
    call('DELETE /api/knowledge/{name}/files/{id}', { params: { name, id } }),
  search: (body: SearchCollections) => call('POST /api/knowledge-search', { body }),
}

const embeddings = {
  get: (signal?: AbortSignal) => call('GET /api/embeddings', { signal }),
  /** Throws `unprocessable` when the model does not answer a test. */
  save: (body: SaveEmbeddings) => call('PUT /api/embeddings', { body }),
}

const memory = {
  list: (id: string, query: MemoryQuery, signal?: AbortSignal) =>
    call('GET /api/agents/{id}/memory', { params: { id }, query, signal }),
  owners: (id: string, signal?: AbortSignal) =>
    call('GET /api/agents/{id}/memory-owners', { params: { id }, signal }),
  edit: (id: string, entryId: string, body: EditMemory) =>
    call('PUT /api/agents/{id}/memory/{entryId}', { params: { id, entryId }, body }),
  forget: (id: string, entryId: string) =>
    call('DELETE /api/agents/{id}/memory/{entryId}', { params: { id, entryId } }),
  forgetAll: (id: string, body: ForgetMemory) =>
    call('POST /api/agents/{id}/memory/forget', { params: { id }, body }),
}

export const api = {
  knowledge,
  embeddings,
  memory,
  agents,
  runs,
  threads,
  databases,
  webSearch,
  providers,
  mcpServers,
  secrets,
  /** The models of all ready providers; the server caches the answer for a while. */
  models: (signal?: AbortSignal) => call('GET /api/models', { signal }),
  /** The address of an artifact as a download. */
  /** What the holder of the page's key may know of it. */
  ownKey: (signal?: AbortSignal) => call('GET /api/key', { signal }),
  /** The content of a kept file, for a page whose links cannot send its key. */
  artifact: async (id: string) => (await request('GET /api/artifacts/{id}', { params: { id } })).blob(),
  artifactUrl: (id: string) => addressOf('GET /api/artifacts/{id}', { id }),
  tools: {
    try: (name: string, args: JsonObject, signal?: AbortSignal) =>
      call('POST /api/tools/{name}/try', { params: { name }, body: { args }, signal }),
    /** Runs one tool of an entry with the settings that the drawing has now. */
    tryEntry: (body: TryEntry, signal?: AbortSignal) => call('POST /api/tool-entries/try', { body, signal }),
  },
  /** The tools of an agent's draft, tried by hand; see `trials.ts` for a try. */
  trials: {
    tools: (id: string, signal?: AbortSignal) =>
      call('GET /api/agents/{id}/trials', { params: { id }, signal }),
    /** The thread whose workspace all tries share. */
    thread: (id: string) => call('POST /api/agents/{id}/trials', { params: { id }, body: {} }),
    tries: (id: string, tool: string, signal?: AbortSignal) =>
      call('GET /api/agents/{id}/trials/{tool}', { params: { id, tool }, signal }),
    reply: (id: string, tool: string, body: ReplyInTry) =>
      call('POST /api/agents/{id}/trials/{tool}/replies', { params: { id, tool }, body }),
    forget: (id: string, tool: string) =>
      call('DELETE /api/agents/{id}/trials/{tool}', { params: { id, tool } }),
    mocks: (id: string, signal?: AbortSignal) =>
      call('GET /api/agents/{id}/mocks', { params: { id }, signal }),
    saveMock: (id: string, tool: string, body: SaveMock) =>
      call('PUT /api/agents/{id}/mocks/{tool}', { params: { id, tool }, body }),
    removeMock: (id: string, tool: string) =>
      call('DELETE /api/agents/{id}/mocks/{tool}', { params: { id, tool } }),
  },
  skills: {
    list: (signal?: AbortSignal) => call('GET /api/skills', { signal }),
    get: (name: string, signal?: AbortSignal) => call('GET /api/skills/{name}', { params: { name }, signal }),
    /** What importing an archive would change; nothing is stored. */
    preview: (archive: Blob) => call('POST /api/skills/preview', { body: archive }),
    import: (archive: Blob, replaces?: string) =>
      call('POST /api/skills', { body: archive, query: { replaces } }),
    file: (name: string, query: { path: string; hash: string }, signal?: AbortSignal) =>
      call('GET /api/skills/{name}/file', { params: { name }, query, signal }),
    changes: (name: string, from: string, signal?: AbortSignal) =>
      call('GET /api/skills/{name}/changes', { params: { name }, query: { from }, signal }),
    archiveUrl: (name: string) => addressOf('GET /api/skills/{name}/archive', { name }),
    remove: (name: string) => call('DELETE /api/skills/{name}', { params: { name } }),
  },
  openapiDocuments: {
    list: (signal?: AbortSignal) => call('GET /api/openapi-documents', { signal }),
    get: (name: string, signal?: AbortSignal) =>
      call('GET /api/openapi-documents/{name}', { params: { name }, signal }),
    /** Adds a document, or reads the one of this name again. */
    add: (body: AddOpenapiDocument, signal?: AbortSignal) =>
      call('POST /api/openapi-documents', { body, signal }),
    remove: (name: string) => call('DELETE /api/openapi-documents/{name}', { params: { name } }),
    /** The definitions of operations, as an entry holds them. */
    resolve: (name: string, names: readonly string[], signal?: AbortSignal) =>
      call('POST /api/openapi-documents/{name}/operations', {
        params: { name },
        body: { names: [...names] },
        signal,
      }),
  },
  compile: (graph: GraphDocument, signal?: AbortSignal) =>
    call('POST /api/compile', { body: { graph }, signal }),
  /** What the drawn agent may do; null while the drawing has errors. */
  authority: (graph: GraphDocument, signal?: AbortSignal) =>
    call('POST /api/authority', { body: { graph }, signal }),
  decompile: (config: JsonObject, signal?: AbortSignal) =>
    call('POST /api/decompile', { body: { config }, signal }),
  catalog: (signal?: AbortSignal) => call('GET /api/catalog', { signal }),
  /** Removes the session of this browser. */
  signOut: () => call('DELETE /api/session', {}),
  sandbox: {
    get: (kind?: WalledKind, signal?: AbortSignal) => call('GET /api/sandbox', { query: { kind }, signal }),
    /** Tests every wall again. */
    test: () => call('POST /api/sandbox/test', {}),
  },
  settings: (signal?: AbortSignal) => call('GET /api/settings', { signal }),
  saveSettings: (body: SaveSettings) => call('PUT /api/settings', { body }),
  health: (signal?: AbortSignal) => call('GET /api/health', { signal }),
}
