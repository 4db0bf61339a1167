/** Composes the ports to the outside world that tools get, for the server and the command line alike. */
import os from 'node:os'
import path from 'node:path'
import { charts } from '#lib/sandbox/charts'
import { createJavascript } from '#lib/sandbox/javascript'
import { jsonQueries } from '#lib/sandbox/json-query'
import { osSandbox } from '#lib/sandbox/os-sandbox'
import { readPage } from '#lib/sandbox/page'
import { readersAt } from '#lib/sandbox/reader-wall'
import { reports } from '#lib/sandbox/reports'
import { createScripts } from '#lib/sandbox/scripts'
import { createSql } from '#lib/sandbox/sql'
import { createWalls } from '#lib/sandbox/walls/all'
import { chooseWalls, type WallChoice } from '#lib/sandbox/walls/choose'
import { noAgents } from '#lib/spec/agents-port'
import { type McpPort, noServers } from '#lib/spec/mcp'
import { noDocuments, type OpenapiPort } from '#lib/spec/openapi-port'
import { type KnowledgePort, noKnowledge, noMemory } from '#lib/spec/recall-port'
import { noSkills, type SkillsPort } from '#lib/spec/skill-port'
import type { ToolPorts } from '#lib/spec/tool'
import type { WallStrength } from '#lib/spec/walls'
import { noSearch, type SearchPort } from '#lib/spec/web-search'
import { createGuardedFetch } from '#lib/web/guarded-fetch'
import type { Vault } from '../secrets/secrets'
import { createDatabases, type DatabaseContext, type Databases } from './databases'
import { noSecrets } from './hooks'
import { createHttp } from './http'

/** Every port except files, which belong to one thread. */
type SharedPorts = Omit<ToolPorts, 'files' | 'artifacts'>

export interface Ports {
  readonly shared: SharedPorts
  readonly walls: WallChoice
  readonly databases: Databases
  /** Ends every process the ports have started. */
  close(): void
}

interface PortsContext extends DatabaseContext {
  /** `host:port` pairs that tools may reach although they are private. */
  readonly allowHosts?: readonly string[]
  /** The weakest wall behind which foreign code is run; default: any that holds. */
  readonly minimumWall?: WallStrength
  /** The folder for temporary files; default: the system's. */
  readonly temporary?: string
  /** Opens a secret for an origin. Default: there are no secrets. */
  readonly open?: Vault['open']
  /** Default: there are no OpenAPI documents. */
  readonly openapi?: OpenapiPort
  /** Default: there are no MCP servers. */
  readonly mcp?: McpPort
  /** Default: no search is set up. */
  readonly search?: SearchPort
  /** Default: there are no collections. */
  readonly knowledge?: KnowledgePort
  /** Default: there are no skills. */
  readonly skills?: SkillsPort
}

export function createPorts({
  allowHosts = [],
  temporary,
  minimumWall,
  open = noSecrets,
  openapi = noDocuments,
  mcp = noServers,
  search = noSearch,
  knowledge = noKnowledge,
  skills = noSkills,
  ...context
}: PortsContext): Ports {
  const databases = createDatabases(context)
  const sql = createSql(() => databases.sources())
  const place = { temporary: temporary ?? os.tmpdir(), installed: path.join(context.data, 'walls') }
  readersAt(place)
  const walls = createWalls({
    ...place,
    hidden: [context.data],
    wheels: path.join(context.data, 'python'),
  })
  const choice = chooseWalls(walls, minimumWall)
  const javascript = createJavascript(() => osSandbox(undefined, temporary), javascriptRefusal(choice))
  const sandbox = createScripts({ choice, temporary: temporary ?? os.tmpdir() })
  const { fetch, close } = createGuardedFetch({ allow: allowHosts })
  // An API may think longer than a page before its first byte; the time limit of the call ends it.
  const api = createGuardedFetch({ allow: allowHosts, firstByteMs: 0 })
  const http = createHttp({ web: api, open })
  return {
    databases,
    shared: {
      sql,
      javascript,
      sandbox,
      charts,
      reports,
      jsonQueries,
      web: { fetch, readable: readPage },
      search,
      http,
      openapi,
      mcp,
      memory: noMemory,
      knowledge,
      skills,
      agents: noAgents,
    },
    walls: choice,
    close() {
      sql.close()
      javascript.close()
      for (const wall of [...walls.shell, ...walls.python]) wall.close()
      void close()
      void api.close()
    },
  }
}

/** Why JavaScript is not run. Only a demand of the operator can be a reason, so without one nothing is tested. */
function javascriptRefusal(choice: WallChoice): () => Promise<string | undefined> {
  return async () => {
    if (choice.minimum === 'process') return undefined
    const facts = await choice.facts('javascript')
    return 'refusal' in facts ? facts.refusal : undefined
  }
}
