/** Composes the ports to the outside world that tools get, for the server and the command line alike. */
import { createJavascript } from '#lib/sandbox/javascript'
import { osSandbox } from '#lib/sandbox/os-sandbox'
import { readPage } from '#lib/sandbox/page'
import { createSql } from '#lib/sandbox/sql'
import { type McpPort, noServers } from '#lib/spec/mcp'
import type { ToolPorts } from '#lib/spec/tool'
import { createGuardedFetch } from '#lib/web/guarded-fetch'
import { createDatabases, type DatabaseContext } from './databases'

/** Every port except files, which belong to one thread. */
type SharedPorts = Omit<ToolPorts, 'files' | 'artifacts'>

export interface Ports {
  readonly shared: SharedPorts
  /** Ends every process the ports have started. */
  close(): void
}

interface PortsContext extends DatabaseContext {
  /** `host:port` pairs that tools may reach although they are private. */
  readonly allowHosts?: readonly string[]
  /** The folder for temporary files; default: the system's. */
  readonly temporary?: string
  /** Default: there are no MCP servers. */
  readonly mcp?: McpPort
}

export function createPorts({
  allowHosts = [],
  temporary,
  mcp = noServers,
  ...context
}: PortsContext): Ports {
  const databases = createDatabases(context)
  const sql = createSql(() => databases.files())
  const javascript = createJavascript(() => osSandbox(undefined, temporary))
  const { fetch, close } = createGuardedFetch({ allow: allowHosts })
  return {
    shared: { sql, javascript, web: { fetch, readable: readPage }, mcp },
    close() {
      sql.close()
      javascript.close()
      void close()
    },
  }
}
