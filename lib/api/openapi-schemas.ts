/** The names of this room's schemas in the API's description: of requests and of answers. */
import { z } from 'zod'
import { artifact } from '#lib/spec/artifact'
import { diagnostic } from '#lib/spec/errors'
import { runEvent } from '#lib/spec/event'
import { feedback } from '#lib/spec/feedback'
import { graphDocument } from '#lib/spec/graph'
import { keptMock } from '#lib/spec/trial'
import * as agentKeys from '#lib/wire/agent-keys'
import * as agents from '#lib/wire/agents'
import { describeFile, fileList } from '#lib/wire/artifacts'
import { authority, authorityRequest, authorityView } from '#lib/wire/authority'
import { catalogView } from '#lib/wire/catalog'
import { compiled, compileRequest, decompiled, decompileRequest } from '#lib/wire/compile'
import * as databases from '#lib/wire/databases'
import { calledAgent, dryRun, dryRunRequest } from '#lib/wire/dry-run'
import { emptyBody } from '#lib/wire/empty'
import { errorBody } from '#lib/wire/errors'
import { health } from '#lib/wire/health'
import { insights } from '#lib/wire/insights'
import * as knowledge from '#lib/wire/knowledge'
import * as mcp from '#lib/wire/mcp-servers'
import * as mcpSignIns from '#lib/wire/mcp-sign-in'
import * as memory from '#lib/wire/memory'
import * as modelTests from '#lib/wire/model-test'
import * as documents from '#lib/wire/openapi-documents'
import { editPlan, heldPlan } from '#lib/wire/plan'
import * as providers from '#lib/wire/providers'
import * as runs from '#lib/wire/runs'
import { sandboxView } from '#lib/wire/sandbox'
import * as secrets from '#lib/wire/secrets'
import { openSession } from '#lib/wire/session'
import { saveSettings, settingsView } from '#lib/wire/settings'
import * as skills from '#lib/wire/skills'
import * as threads from '#lib/wire/threads'
import { renderingsRequest, toolRendering, toolRenderings } from '#lib/wire/tool-renderings'
import { triedTool, tryEntry, tryTool } from '#lib/wire/tools'
import * as trials from '#lib/wire/trials'
import { wallPackageList } from '#lib/wire/wall-packages'
import * as webSearch from '#lib/wire/web-search'

/** `GET /api/openapi.json` itself. */
export const openapiDocument = z.record(z.string(), z.unknown())

const asked = {
  AddMcpServer: mcp.addMcpServer,
  AddOpenapiDocument: documents.addOpenapiDocument,
  BeginTry: trials.beginTry,
  BeginMcpSignIn: mcpSignIns.beginMcpSignIn,
  FinishMcpSignIn: mcpSignIns.finishMcpSignIn,
  AgentFile: agents.agentFile,
  AtRevision: agents.atRevision,
  AuthorityRequest: authorityRequest,
  RenderingsRequest: renderingsRequest,
  CompileRequest: compileRequest,
  ConsentToMcpServer: mcp.consentToMcpServer,
  CreateAgent: agents.createAgent,
  CreateAgentKey: agentKeys.createAgentKey,
  CreateRun: runs.createRun,
  CreateThread: threads.createThread,
  DecompileRequest: decompileRequest,
  DescribeFile: describeFile,
  DryRunRequest: dryRunRequest,
  GivenGraph: graphDocument,
  DecideCall: runs.decideCall,
  DecideMcpTools: mcp.decideMcpTools,
  EditPlan: editPlan,
  ForkRun: runs.forkRun,
  GiveFeedback: runs.giveFeedback,
  GiveReply: runs.giveReply,
  ImportMcpServers: mcp.importMcpServers,
  ManyRuns: runs.manyRuns,
  Nothing: emptyBody,
  OpenSession: openSession,
  RegisterDatabase: databases.registerDatabase,
  ResolveOperations: documents.resolveOperations,
  RenameThread: threads.renameThread,
  SaveAgent: agents.saveAgent,
  SaveDatabaseConnection: databases.saveConnection,
  SaveMcpServer: mcp.saveMcpServer,
  ReplyInTry: trials.replyInTry,
  SaveMock: trials.saveMock,
  SaveProvider: providers.saveProvider,
  TestDatabase: databases.testDatabase,
  TestModel: modelTests.testModel,
  SaveSecret: secrets.saveSecret,
  SaveWebSearch: webSearch.saveWebSearch,
  TestWebSearch: webSearch.testWebSearch,
  SaveSettings: saveSettings,
  TryEntry: tryEntry,
  TryTool: tryTool,
  CreateCollection: knowledge.createCollection,
  DescribeCollection: knowledge.describeCollection,
  SearchCollections: knowledge.searchCollections,
  SaveEmbeddings: knowledge.saveEmbeddings,
  SearchMemory: memory.searchMemory,
  ForgetMemory: memory.forgetMemory,
  EditMemory: memory.editMemory,
} satisfies Record<string, z.ZodType>

const answered = {
  AddedOpenapiDocument: documents.addedOpenapiDocument,
  BegunMcpSignIn: mcpSignIns.begunMcpSignIn,
  FinishedMcpSignIn: mcpSignIns.finishedMcpSignIn,
  McpClientDocument: mcpSignIns.mcpClientDocument,
  McpSignedOut: mcpSignIns.mcpSignedOut,
  Agent: agents.agentView,
  AgentConfig: agents.agentFile,
  AgentKey: agentKeys.agentKeyView,
  AgentKeyList: agentKeys.agentKeyList,
  AgentList: agents.agentList,
  Artifact: artifact,
  Authority: authority,
  AuthorityView: authorityView,
  ToolRendering: toolRendering,
  ToolRenderings: toolRenderings,
  BranchList: runs.branchList,
  Catalog: catalogView,
  Compiled: compiled,
  CreatedRun: runs.createdRun,
  SteeredRun: runs.steeredRun,
  Database: databases.databaseView,
  DatabaseList: databases.databaseList,
  DatabaseTest: databases.databaseTest,
  DeletedRuns: runs.deletedRuns,
  Decompiled: decompiled,
  Diagnostic: diagnostic,
  CalledAgent: calledAgent,
  DryRun: dryRun,
  Error: errorBody,
  EventList: runs.eventList,
  Feedback: feedback,
  FileList: fileList,
  Graph: graphDocument,
  Health: health,
  ImportedAgent: agents.importedAgent,
  ImportedSkill: skills.importedSkill,
  Insights: insights,
  McpImport: mcp.mcpImport,
  McpServer: mcp.mcpServerView,
  McpServerDetail: mcp.mcpServerDetail,
  McpServerList: mcp.mcpServerList,
  McpServerTest: mcp.mcpServerTest,
  ModelList: providers.modelList,
  NewAgentKey: agentKeys.newAgentKey,
  OpenApi: openapiDocument,
  OpenapiDocument: documents.openapiDocumentView,
  OpenapiDocumentDetail: documents.openapiDocumentDetail,
  OpenapiDocumentList: documents.openapiDocumentList,
  OwnKey: agentKeys.ownKey,
  Provider: providers.providerView,
  WebSearch: webSearch.webSearchView,
  WebSearchTest: webSearch.webSearchTest,
  ProviderList: providers.providerList,
  ProviderTest: providers.providerTest,
  ModelTest: modelTests.modelTest,
  ResolvedOperations: documents.resolvedOperations,
  RestoredRuns: runs.restoredRuns,
  Run: runs.runView,
  Plan: heldPlan,
  RunChoices: runs.runChoices,
  RunEvent: runEvent,
  RunList: runs.runList,
  RunSummary: runs.runSummary,
  SavedMcpServer: mcp.savedMcpServer,
  Secret: secrets.secretView,
  SecretList: secrets.secretList,
  Sandbox: sandboxView,
  WallPackageList: wallPackageList,
  Settings: settingsView,
  Skill: skills.skillView,
  SkillChanges: skills.skillChanges,
  SkillDetail: skills.skillDetail,
  SkillList: skills.skillList,
  SkillPreview: skills.skillPreview,
  SkillText: skills.skillText,
  StepRequest: runs.stepRequest,
  TemplateList: agents.templateList,
  Thread: threads.threadView,
  ThreadList: threads.threadList,
  ThreadSummary: threads.threadSummary,
  KeptMock: keptMock,
  MockList: trials.mockList,
  TrialThread: trials.trialThread,
  TrialToolList: trials.trialToolList,
  TriedTool: triedTool,
  TryList: trials.tryList,
  Version: agents.versionView,
  VersionList: agents.versionList,
  CollectionList: knowledge.collectionList,
  Collection: knowledge.collectionView,
  CollectionDetail: knowledge.collectionDetail,
  CollectionFile: knowledge.collectionFile,
  FoundPassages: knowledge.foundPassages,
  Embeddings: knowledge.embeddingsView,
  MemoryList: memory.memoryList,
  MemoryOwners: memory.memoryOwners,
  MemoryEntry: memory.memoryEntry,
  FoundMemory: memory.foundMemory,
  Forgotten: memory.forgotten,
} satisfies Record<string, z.ZodType>

const bodyNames = new Map<z.ZodType, string>(Object.entries(asked).map(([name, schema]) => [schema, name]))
const answerNames = new Map<z.ZodType, string>(
  Object.entries(answered).map(([name, schema]) => [schema, name]),
)

export function nameOfBody(schema: z.ZodType): string {
  return bodyNames.get(schema) ?? nameless()
}

export function nameOfAnswer(schema: z.ZodType): string {
  return answerNames.get(schema) ?? nameless()
}

function nameless(): never {
  throw new Error('a schema of the table of routes has no name in openapi-schemas.ts')
}

/**
 * Every schema by its name; other named schemas inside it become references. A request may omit values that
 * have a default.
 */
export function componentSchemas({
  providerKinds,
}: {
  providerKinds: readonly string[]
}): Record<string, unknown> {
  const provider = providers.providerView.extend({ kind: z.enum(providerKinds) })
  return {
    ...named(asked, 'input'),
    ...named(
      { ...answered, Provider: provider, ProviderList: z.strictObject({ items: z.array(provider) }) },
      'output',
    ),
  }
}

function named(schemas: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output') {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id })
  const { schemas: made } = z.toJSONSchema(registry, { io, uri: (id) => `#/components/schemas/${id}` })
  return Object.fromEntries(
    Object.entries(made).map(([id, { $schema: _schema, $id: _id, ...rest }]) => [id, rest]),
  )
}
