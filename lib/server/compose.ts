/**
 * Creates everything behind the API over one data folder, and closes it again; the rooms are wired together
 * only here.
 */
import path from 'node:path'
import { storeFault } from '#db/fault'
import { openStores } from '#db/open'
import { request, requestPictures } from '#lib/agent/request/rerequest'
import { run } from '#lib/agent/run'
import { fold } from '#lib/agent/state/fold'
import { start } from '#lib/agent/state/start'
import { sandboxKind } from '#lib/sandbox/os-sandbox'
import type { NamedAgent } from '#lib/spec/agents-port'
import { defaultModel, type Parts } from '#lib/spec/config'
import type { McpPort } from '#lib/spec/mcp'
import type { Redact } from '#lib/spec/redact'
import type { RunRow } from '#lib/spec/store'
import { createAgents, drawingOf } from './agents/agents'
import { portsNow, withAgentsNow } from './agents/agents-now'
import { assemble } from './agents/assemble'
import { authorityOf } from './agents/authority'
import { createCatalog, readConfig } from './agents/catalog'
import { createCompiling } from './agents/compiling'
import { dryRun } from './agents/dry-run'
import { findAgent } from './agents/find-agent'
import type { FirstRun } from './agents/first-run'
import { keepAssembled } from './agents/keep-assembled'
import { createAgentMocks } from './agents/mocks'
import { isPriced } from './agents/readiness'
import { seedExamples } from './agents/seed'
import { readTemplates } from './agents/templates'
import { renderTools } from './agents/tool-renderings'
import { systemClock } from './clock'
import { createAgentKeys } from './door/agent-keys'
import { createGuard } from './door/guard'
import { createSessions } from './door/session'
import { openDataFolder } from './environment/data-folder'
import { addressOf, type Environment } from './environment/environment'
import { createArtifacts } from './files/artifacts'
import { looseFiles } from './files/loose-files'
import { createThreadFiles } from './files/thread-files'
import type { Loopwright } from './loopwright'
import { createKeyRuns } from './outlet/key-runs'
import { createMcpOutlet } from './outlet/mcp-outlet'
import { productParts } from './parts'
import { createAgentTrials } from './ports/agent-trials'
import { createRegistry } from './ports/database-registry'
import { createHooks } from './ports/hooks'
import { sandboxView } from './ports/sandbox-view'
import { databasesUsing } from './ports/stored-databases'
import { openForTrial } from './ports/try-entry'
import { tryTool } from './ports/try-tool'
import { createWallPackages } from './ports/wall-packages'
import { createWebSearchRegistry, searchUsing } from './ports/web-search'
import { openModels } from './providers/models'
import { openReach } from './reach'
import { readInsights } from './runs/insights'
import { createIndexing } from './runs/run-indexing'
import { createRemovals } from './runs/run-removal'
import { createRuns } from './runs/runs'
import { createStreams } from './runs/streams'
import { createThreads } from './runs/threads'
import { createOriginals } from './secrets/originals'
import { createSecrets } from './secrets/secret-registry'
import { createAgentsBySecret } from './secrets/secret-users'
import { createSeenDays } from './seen-days'
import { watchStorage } from './storage'

/** Days for which a removed agent can be brought back. */
const removalDays = 30

interface ComposeRequest {
  readonly environment: Environment
  readonly version: string
  /** The folder of example agents; without it none are seeded. */
  readonly examples?: string
  /** How examples and templates are prepared for a first run. Default: they stay as they are. */
  readonly firstRun?: FirstRun
  readonly dev?: boolean
  /** Default: the parts of the product. */
  readonly parts?: Parts
}

export interface Composition {
  readonly app: Loopwright
  /** The tools of MCP servers, as runs reach them. */
  readonly mcp: McpPort
  /** Replaces every secret that the server knows in a text. */
  readonly redact: Redact
  /** Resumes the runs that an earlier server left unfinished. */
  recover(): void
  /** Stops the runs so that the next start resumes them, and ends every open stream. */
  drain(deadlineMs: number): Promise<void>
  close(): void
}

/** Throws when the database cannot be used. The caller must hold the lock of the data folder. */
export function compose({
  environment,
  version,
  examples,
  firstRun,
  dev = false,
  parts = productParts,
}: ComposeRequest): Composition {
  const { dataFolder, token, publicOrigin } = environment
  const folders = openDataFolder(dataFolder)
  const stores = openStores(path.join(dataFolder, 'loopwright.db'))
  const stopWatching = watchStorage(stores.health, {
    folder: dataFolder,
    fail: (line) => console.error(line),
    recover: (line) => console.log(line),
  })
  const clock = systemClock
  const artifacts = createArtifacts({ stores, folder: folders.artifacts, clock })
  const files = createThreadFiles({ stores, artifacts, folder: folders.workspaces })
  const catalog = createCatalog(version, parts)
  const models = openModels(stores, environment, parts)
  const { vault, prices, providers, redact, surroundings, closeOutbound } = models
  const reach = openReach({ stores, environment, folders, models, parts, version })
  const { shared, walls, databases, mcp, search, recall, skills, openapiDocuments } = reach
  const compiling = createCompiling({
    catalog,
    parts,
    available: () => ({
      databases: shared.sql.databases(),
      hasCollection: (name) => recall.knowledge.names().includes(name),
      hasMcpServer: (name) => shared.mcp.listing(name) !== undefined,
      lackOf: providers.lackOf,
      priceOf: prices.priceOf,
      open: vault.open,
      lackOfTool: ({ lack }) => lack?.(shared),
      findAgent: (named) => findAgent(stores.agents, named),
      operationHashes: (document) => openapiDocuments.hashes(document),
      skills,
    }),
  })
  const agents = createAgents({ store: stores.agents, catalog, parts, compiling, clock })
  const closing = new AbortController()
  let { port } = environment
  const engine = { start, fold, run, request, requestPictures }
  const assembleText = keepAssembled(surroundings)
  const indexing = createIndexing({ figures: stores.figures, signal: closing.signal })
  const hooks = createHooks({ web: shared.web, open: vault.open })
  /** The ports of a run in a folder of the workspace of its thread. */
  const portsIn = (
    row: { readonly id: string | null } & Pick<RunRow, 'threadId' | 'user'>,
    folder?: readonly string[],
  ) => ({ ...shared, ...files.ports(row, folder), memory: recall.memory.port(row) })
  const runs = createRuns({
    indexing,
    stores,
    catalog,
    parts,
    engine,
    assemble: assembleText,
    ports: portsIn,
    remembered: recall.embeddings.wake,
    hooks,
    originals: createOriginals({ store: stores.originals, folder: dataFolder }),
    artifacts,
    workspaces: files,
    clock,
    ...(environment.logsSteps && { logStep: (line: string) => console.log(line) }),
  })
  const threads = createThreads({ stores, runs, artifacts, files, clock })
  const keys = createAgentKeys({ stores, clock })
  const keyRuns = createKeyRuns({
    stores,
    runs,
    threads,
    clock,
    hasPrice: (config) => {
      const read = readConfig(JSON.parse(config), parts)
      return read.ok && isPriced(read.value.model ?? defaultModel, prices.priceOf)
    },
  })
  const assembleNow = async (config: Parameters<typeof assemble>[0]) => {
    const read = await assemble(config, surroundings)
    if (!read.ok) return read
    const ports = portsNow({ ...ofAgents, shared: tryPorts }, read.value)
    return { ok: true as const, value: await withAgentsNow(read.value, ports) }
  }
  const ofAgents = {
    ...{ engine, clock },
    find: (named: NamedAgent) => findAgent(stores.agents, named),
    assemble: (text: string) => assemble(text, surroundings),
  }
  /** For listing tools outside any run: it opens no file, so any name of a thread serves. */
  const loosePorts = () => portsIn({ id: null, threadId: 'none' })
  const address = () => publicOrigin ?? addressOf(environment.host, port)
  const tryTools = [...parts.tools, ...parts.toolkits.flatMap(({ tools = [] }) => tools)]
  const tryPorts = { ...shared, ...looseFiles(folders.try) }
  const streams = createStreams()
  const days = createSeenDays(stores.settings, clock)
  const removals = createRemovals({
    stores,
    engine,
    artifacts,
    files,
    clock,
    signal: closing.signal,
    report: console.error,
  })
  if (examples !== undefined)
    seedExamples({ stores, agents }, { folder: examples, firstRun, report: console.warn })

  const wallPackages = createWallPackages({
    installed: folders.walls,
    root: dataFolder,
    changed: () => void walls.report({ again: true }),
  })

  const agentsBySecret = createAgentsBySecret(stores.agents)
  const settings = async () => ({
    server: {
      version,
      dataFolder,
      url: address(),
      token: token !== undefined,
      sandbox: await sandboxKind(folders.temporary),
    },
    prices: prices.view(),
  })
  const app: Loopwright = {
    version,
    guard: createGuard({ publicOrigin, token, dev, findKey: keys.find }),
    catalog,
    agents,
    runs,
    removals,
    runChoices: () => stores.figures.choices(),
    insights: (agentId, query) => readInsights(stores, { agentId, query, now: clock.now() }),
    threads,
    keys,
    keyRuns,
    mcp: createMcpOutlet({
      version,
      keys,
      keyRuns,
      runs,
      clock,
      idOf: (name) => stores.agents.byName(name)?.id,
      address: address,
    }),
    files,
    artifacts,
    databases: createRegistry({ ...databases, settings: stores.settings, vault, own: dataFolder }),
    webSearch: createWebSearchRegistry({ settings: stores.settings, vault, search, now: clock.now }),
    mcpServers: mcp.registry,
    mcpSignIns: mcp.signIns,
    openapiDocuments,
    memory: recall.memory,
    knowledge: recall.knowledge,
    embeddings: recall.embeddings,
    skills,
    providers,
    secrets: createSecrets({
      vault,
      users: (only) => {
        const agentsOf = agentsBySecret(only)
        return (name) => [
          ...providers.using(name),
          ...databasesUsing(stores.settings, name),
          ...searchUsing(stores.settings, name),
          ...mcp.usingSecret(name),
          ...(agentsOf.get(name) ?? []),
        ]
      },
    }),
    streams,
    templates: readTemplates(examples, firstRun),
    sessions: createSessions({ token, publicOrigin, clock }),
    compile: (graph) => {
      const { config, diagnostics, origins } = compiling.compile(graph)
      return { config, diagnostics, origins }
    },
    authority: async (graph) => {
      const { config } = compiling.compile(graph)
      return { authority: await authorityOf(config, assembleNow, parts) }
    },
    toolRenderings: (agentId, graph) => {
      const saved = drawingOf(stores.agents, agentId)
      const compiled = compiling.compile(graph ?? saved)
      const context = {
        ...surroundings,
        parts,
        assemble: assembleNow,
      }
      return renderTools(context, compiled)
    },
    dryRun: (agentId, asked) =>
      dryRun(
        {
          stores,
          engine: { start, fold },
          compiling,
          drawn: (id) => drawingOf(stores.agents, id),
          find: ofAgents.find,
          lacksOf: compiling.lacksOf,
          assemble: (config) => assemble(config, surroundings),
          portsOf: (assembled) => portsNow({ ...ofAgents, shared: loosePorts() }, assembled),
        },
        agentId,
        asked,
      ),
    decompile: (config) => compiling.decompile(config),
    tryTool: (asked) => tryTool({ tools: tryTools, ports: tryPorts, clock, redact }, asked),
    tryEntry: async ({ entry, tool, args, signal }) => {
      const tools = await openForTrial(entry, parts)
      const name = tool ?? tools[0]?.name ?? ''
      return tryTool({ tools, ports: tryPorts, clock, redact }, { name, args, signal })
    },
    trials: createAgentTrials({
      ...{ stores, catalog, clock, redact, engine, assemble: assembleText, report: console.error },
      hooks: hooks(null),
      remembered: recall.embeddings.wake,
      ports: (threadId, folder) => portsIn({ id: null, threadId }, folder),
    }),
    mocks: createAgentMocks({ stores, clock, redact }),
    trouble: () => stores.health.check()?.message,
    sandbox: (kind) => sandboxView(walls, { kind }),
    testSandbox: () => sandboxView(walls, { again: true }),
    wallPackages,
    settings,
    saveSettings: (body) => {
      if (body.prices !== undefined) prices.save(body.prices)
      return settings()
    },
    listening: (actual) => {
      port = actual
    },
  }
  return {
    app,
    mcp: mcp.connections,
    redact,
    recover: () => {
      // A full disk must not keep the server from starting; the next start repeats this clean-up.
      const forget = async () => {
        days.note()
        const before = days.before(removalDays)
        if (before !== undefined) stores.agents.purge(before)
      }
      days.watch(closing.signal)
      const sweep = async () => {
        await artifacts.sweep()
        await removals.finish()
      }
      void Promise.all([files.sweep(), sweep(), forget(), indexing.begin()]).catch((error: unknown) => {
        if (storeFault(error) === undefined) console.error(error)
      })
      recall.begin()
      runs.recover()
    },
    drain: (deadlineMs) => drain({ runs, streams }, deadlineMs),
    close: () => {
      stopWatching()
      closing.abort()
      reach.close()
      wallPackages.close()
      closeOutbound()
      stores.close()
    },
  }
}

async function drain(
  { runs, streams }: Pick<Loopwright, 'runs' | 'streams'>,
  deadlineMs: number,
): Promise<void> {
  await runs.drain(deadlineMs)
  streams.close()
}
