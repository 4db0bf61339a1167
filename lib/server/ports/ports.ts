/** Composes the ports to the outside world that tools get, for the server and the command line alike. */
import { createJavascript } from '#lib/sandbox/javascript'
import { osSandbox } from '#lib/sandbox/os-sandbox'
import { createSql } from '#lib/sandbox/sql'
import type { ToolPorts } from '#lib/spec/tool'
import { createDatabases, type DatabaseContext } from './databases'
import { createWeb } from './web'

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
}

export function createPorts({ allowHosts = [], temporary, ...context }: PortsContext): Ports {
  const databases = createDatabases(context)
  const sql = createSql(() => databases.files())
  const javascript = createJavascript(() => osSandbox(undefined, temporary))
  const web = createWeb(allowHosts)
  return {
    shared: { sql, javascript, web },
    close() {
      sql.close()
      javascript.close()
      void web.close()
    },
  }
}
