/** Builds everything behind the API over one data folder, and ends it again: the one place where the rooms meet. */
import path from 'node:path'
import { openStores } from '#db/open'
import { fold } from '#lib/agent/fold'
import { request } from '#lib/agent/rerequest'
import { run } from '#lib/agent/run'
import { start } from '#lib/agent/start'
import type { Stores } from '#lib/spec/store'
import { tools } from '#lib/tools'
import { createAgents } from './agents'
import { assemble } from './assemble'
import { createCatalog } from './catalog'
import { systemClock } from './clock'
import { createCompiling } from './compiling'
import { createRegistry, registeredDatabases } from './database-registry'
import { addressOf, type Environment } from './environment'
import { createGuard } from './guard'
import type { Loopwright } from './loopwright'
import { createPorts, type Ports } from './ports'
import { createRuns } from './runs'
import { seedExamples } from './seed'
import { createSessions } from './session'
import { createStreams } from './streams'
import { createThreads } from './threads'
import { tryTool } from './try-tool'

interface ComposeRequest {
  readonly environment: Environment
  readonly version: string
  /** The folder of examples; none are taken without it. */
  readonly examples?: string
  readonly dev?: boolean
}

export interface Composition {
  readonly app: Loopwright
  /** Takes up what an earlier server left unfinished. */
  recover(): void
  /** Stops runs so that the next start goes on with them, and ends every open stream. */
  drain(deadlineMs: number): Promise<void>
  close(): void
}

/** Throws when the database can not be used; the data folder must be locked before. */
export function compose({ environment, version, examples, dev = false }: ComposeRequest): Composition {
  const { dataFolder, token, publicOrigin } = environment
  const stores = openStores(path.join(dataFolder, 'loopwright.db'))
  const { ports, close: closePorts } = portsOf(stores, dataFolder)
  const clock = systemClock
  const catalog = createCatalog(version)
  const compiling = createCompiling({ catalog, available: () => ({ databases: ports.sql.databases() }) })
  const agents = createAgents({ store: stores.agents, catalog, compiling, clock })
  const runs = createRuns({
    stores,
    catalog,
    engine: { start, fold, run, request },
    assemble: (config) => assemble(config, clock),
    ports,
    clock,
  })
  const streams = createStreams()
  let { port } = environment
  if (examples !== undefined) seedExamples({ stores, agents }, { folder: examples, report: console.warn })

  const app: Loopwright = {
    version,
    guard: createGuard({ publicOrigin, token, dev }),
    catalog,
    agents,
    runs,
    threads: createThreads({ stores, runs, clock }),
    databases: createRegistry(stores.settings, dataFolder),
    streams,
    sessions: createSessions({ token, publicOrigin, clock }),
    compile: (graph) => {
      const { config, diagnostics, origins } = compiling.compile(graph)
      return { config, diagnostics, origins }
    },
    decompile: (config) => compiling.decompile(config),
    tryTool: (asked) => tryTool({ tools, ports, clock }, asked),
    settings: () => ({
      server: {
        version,
        dataFolder,
        url: publicOrigin ?? addressOf(environment.host, port),
        token: token !== undefined,
      },
    }),
    listening: (actual) => {
      port = actual
    },
  }
  return {
    app,
    recover: () => runs.recover(),
    drain: (deadlineMs) => drain({ runs, streams }, deadlineMs),
    close: () => {
      closePorts()
      stores.close()
    },
  }
}

function portsOf(stores: Stores, data: string): Ports {
  return createPorts({ data, registered: () => registeredDatabases(stores.settings) })
}

async function drain(
  { runs, streams }: Pick<Loopwright, 'runs' | 'streams'>,
  deadlineMs: number,
): Promise<void> {
  await runs.drain(deadlineMs)
  streams.close()
}
