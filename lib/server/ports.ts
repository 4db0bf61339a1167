/** Composes the doors to the outside that tools get: for the server and the command line alike. */
import { createSql } from '#lib/sandbox/sql'
import type { ToolPorts } from '#lib/spec/tool'
import { createDatabases, type DatabaseContext } from './databases'

export interface Ports {
  readonly ports: ToolPorts
  /** Ends every process the ports have started. */
  close(): void
}

export function createPorts(context: DatabaseContext): Ports {
  const databases = createDatabases(context)
  const sql = createSql(() => databases.files())
  return { ports: { sql }, close: () => sql.close() }
}
