/** Every route of the API with what it takes and gives: the table from which its description is made. */
import type { z } from 'zod'
import { importQuery } from '#lib/wire/agents'
import { uploadQuery } from '#lib/wire/artifacts'
import { runQuery } from '#lib/wire/runs'
import { threadQuery } from '#lib/wire/threads'
import type { Answered, Asked } from './openapi-schemas'

export interface Operation {
  /** One sentence. */
  readonly does: string
  readonly query?: z.ZodObject
  /** `bytes` is a file as it is. */
  readonly body?: Asked | 'bytes'
  /** Whether the body may be left out. */
  readonly mayBeEmpty?: boolean
  readonly gives: Answered | 'file' | 'nothing' | 'empty'
  /** 200, or 204 for nothing, unless said. */
  readonly status?: 201
  /** Events are sent as they happen: always, or to those who ask for them by `Accept: text/event-stream`. */
  readonly streams?: 'usually' | 'on_request'
  /** Asks for no token. */
  readonly open?: true
}

export type Verb = 'get' | 'post' | 'put' | 'delete'
type Operations = Partial<Record<Verb, Operation>>

const agents: Readonly<Record<string, Operations>> = {
  '/api/agents': {
    get: { does: 'Lists the agents by name.', gives: 'AgentList' },
    post: {
      does: 'Makes an agent of a drawing or a config.',
      body: 'CreateAgent',
      gives: 'Agent',
      status: 201,
    },
  },
  '/api/agents/import': {
    post: {
      does: 'Makes an agent of an exported file, and says what this server lacks for it.',
      query: importQuery,
      body: 'AgentFile',
      gives: 'ImportedAgent',
      status: 201,
    },
  },
  '/api/agents/{id}': {
    get: { does: 'One agent.', gives: 'Agent' },
    put: {
      does: 'Saves an agent over the revision the caller has seen; a stale one is refused with the standing agent.',
      body: 'SaveAgent',
      gives: 'Agent',
    },
    delete: { does: 'Removes an agent so that it can be brought back for thirty days.', gives: 'nothing' },
  },
  '/api/agents/{id}/restore': {
    post: { does: 'Brings back a removed agent.', body: 'Nothing', mayBeEmpty: true, gives: 'Agent' },
  },
  '/api/agents/{id}/duplicate': {
    post: {
      does: 'Copies an agent under the next free name.',
      body: 'Nothing',
      mayBeEmpty: true,
      gives: 'Agent',
      status: 201,
    },
  },
  '/api/agents/{id}/dry-run': {
    post: {
      does: 'Puts a call to the policies of the agent, in the order of a run, and says what it would come to; nothing runs.',
      body: 'DryRunRequest',
      gives: 'DryRun',
    },
  },
  '/api/agents/{id}/export': {
    get: { does: 'The agent’s config as a file, byte for byte.', gives: 'AgentConfig' },
  },
  '/api/agents/{id}/versions': {
    get: { does: 'Lists the published versions, the newest first.', gives: 'VersionList' },
    post: {
      does: 'Publishes the draft as the next version.',
      body: 'AtRevision',
      mayBeEmpty: true,
      gives: 'Version',
      status: 201,
    },
  },
  '/api/agents/{id}/versions/{version}/restore': {
    post: {
      does: 'Makes a published version the draft again.',
      body: 'AtRevision',
      mayBeEmpty: true,
      gives: 'Agent',
    },
  },
  '/api/agents/{id}/runs': {
    post: {
      does: 'Begins a run.',
      body: 'CreateRun',
      gives: 'CreatedRun',
      status: 201,
      streams: 'on_request',
    },
  },
  '/api/templates': { get: { does: 'Agents to begin with.', gives: 'TemplateList' } },
}

const drawing: Readonly<Record<string, Operations>> = {
  '/api/compile': {
    post: {
      does: 'Compiles a drawing to its config; nothing is stored.',
      body: 'CompileRequest',
      gives: 'Compiled',
    },
  },
  '/api/decompile': {
    post: { does: 'Draws a config; nothing is stored.', body: 'DecompileRequest', gives: 'Decompiled' },
  },
  '/api/authority': {
    post: {
      does: 'What the agent of a drawing may do: tools it gets, what is withheld and why, limits.',
      body: 'AuthorityRequest',
      gives: 'AuthorityView',
    },
  },
  '/api/catalog': { get: { does: 'Every part as data.', gives: 'Catalog' } },
}

const runs: Readonly<Record<string, Operations>> = {
  '/api/runs': { get: { does: 'Lists runs, the newest first.', query: runQuery, gives: 'RunList' } },
  '/api/runs/{id}': { get: { does: 'One run with the config it started from.', gives: 'Run' } },
  '/api/runs/{id}/events': {
    get: {
      does: 'Everything that happened in a run, as it happens or, asked for as JSON, so far.',
      gives: 'EventList',
      streams: 'usually',
    },
  },
  '/api/runs/{id}/requests/{step}': {
    get: { does: 'The model request of a step, what it is made of and where it went.', gives: 'StepRequest' },
  },
  '/api/runs/{id}/cancel': {
    post: { does: 'Ends a run.', body: 'Nothing', mayBeEmpty: true, gives: 'Run' },
  },
  '/api/runs/{id}/fork': {
    post: {
      does: 'Begins a run that goes on from a step of this one, changed where asked; this one stays as it is.',
      body: 'ForkRun',
      gives: 'CreatedRun',
      status: 201,
    },
  },
  '/api/runs/{id}/branches': {
    get: { does: 'The tree of runs that were forked from one another.', gives: 'BranchList' },
  },
  '/api/runs/{id}/approvals/{callId}': {
    post: { does: 'Decides on a call that waits for a person.', body: 'DecideCall', gives: 'Run' },
  },
}

const threads: Readonly<Record<string, Operations>> = {
  '/api/threads': {
    get: { does: 'Lists dialogues, the last one used first.', query: threadQuery, gives: 'ThreadList' },
    post: { does: 'Makes an empty dialogue.', body: 'CreateThread', gives: 'ThreadSummary', status: 201 },
  },
  '/api/threads/{id}': {
    get: { does: 'One dialogue with its runs, the oldest first.', gives: 'Thread' },
    put: { does: 'Renames a dialogue.', body: 'RenameThread', gives: 'ThreadSummary' },
    delete: { does: 'Removes a dialogue with its runs and files.', gives: 'nothing' },
  },
  '/api/threads/{id}/files': {
    get: { does: 'Lists what stands in the dialogue’s workspace.', gives: 'FileList' },
    post: {
      does: 'Gives a file to the workspace.',
      query: uploadQuery,
      body: 'bytes',
      gives: 'Artifact',
      status: 201,
    },
  },
  '/api/threads/{id}/files/{path}': { get: { does: 'A file of the workspace, to save.', gives: 'file' } },
  '/api/artifacts/{id}': { get: { does: 'A kept file, to save.', gives: 'file' } },
}

const server: Readonly<Record<string, Operations>> = {
  '/api/tools/{name}/try': {
    post: { does: 'Runs one tool by hand.', body: 'TryTool', gives: 'TriedTool' },
  },
  '/api/databases': {
    get: { does: 'Lists the databases that tools may read.', gives: 'DatabaseList' },
    put: { does: 'Registers a SQLite file.', body: 'RegisterDatabase', gives: 'Database' },
  },
  '/api/databases/{name}': { delete: { does: 'Forgets a database; its file stays.', gives: 'nothing' } },
  '/api/providers': { get: { does: 'Lists the providers of models.', gives: 'ProviderList' } },
  '/api/providers/{name}': {
    put: { does: 'Sets or adds a provider.', body: 'SaveProvider', gives: 'Provider' },
    delete: { does: 'Forgets an endpoint, or what was set for a provider.', gives: 'nothing' },
  },
  '/api/providers/{name}/test': {
    post: {
      does: 'Asks a provider for its models, with values that need not be saved yet.',
      body: 'SaveProvider',
      mayBeEmpty: true,
      gives: 'ProviderTest',
    },
  },
  '/api/providers/{name}/test-model': {
    post: {
      does: 'Asks one model for the same small call in each format, and says which format to take.',
      body: 'TestModel',
      gives: 'ModelTest',
    },
  },
  '/api/models': { get: { does: 'The models that ready providers have.', gives: 'ModelList' } },
  '/api/secrets': { get: { does: 'Lists secrets without their values.', gives: 'SecretList' } },
  '/api/secrets/{name}': {
    put: { does: 'Writes a secret; it is never read back.', body: 'SaveSecret', gives: 'Secret' },
    delete: { does: 'Forgets a secret.', gives: 'nothing' },
  },
  '/api/settings': {
    get: { does: 'What the server says of itself, and the prices of models.', gives: 'Settings' },
    put: { does: 'Keeps prices.', body: 'SaveSettings', gives: 'Settings' },
  },
  '/api/session': {
    post: { does: 'Signs a browser in by the token.', body: 'OpenSession', gives: 'empty', open: true },
    delete: { does: 'Signs a browser out.', gives: 'empty', open: true },
  },
  '/api/health': {
    get: {
      does: 'Whether the server lives and can store; 503 says what is wrong.',
      gives: 'Health',
      open: true,
    },
  },
  '/api/openapi.json': { get: { does: 'This description.', gives: 'OpenApi' } },
}

export const routes: Readonly<Record<string, Operations>> = {
  ...agents,
  ...drawing,
  ...runs,
  ...threads,
  ...server,
}
