/** Compares a config with what this server has: one warning for each thing it names and the server lacks. */
import type { AgentConfig, ToolEntry } from '#lib/spec/config'
import type { Diagnostic } from '#lib/spec/errors'
import { tools } from '#lib/tools'

export interface Available {
  /** Names of the registered databases. */
  readonly databases: readonly string[]
  /** What to tell of one that is missing; how to register it on a server unless said. */
  missing?(name: string): string
}

function registerIt(name: string): string {
  return `No database "${name}" is registered on this server. Register it under Settings, or choose another.`
}

const parameters = new Map(tools.map((each) => [each.name, each.parameters.properties ?? {}]))

/** What a drawing alone can not tell; patterns and presets that name no tool are found where the graph is checked. */
export function readiness(
  config: Pick<AgentConfig, 'tools'>,
  { databases, missing = registerIt }: Available,
): Diagnostic[] {
  return config.tools.flatMap((entry, index) =>
    missingDatabases(entry, `tools/${index}`, { databases, missing }),
  )
}

function missingDatabases(
  { preset }: ToolEntry,
  path: string,
  { databases, missing }: Required<Available>,
): Diagnostic[] {
  return Object.entries(preset).flatMap(([tool, given]) => {
    const known = parameters.get(tool) ?? {}
    return Object.entries(given).flatMap(([key, value]): Diagnostic[] => {
      const isDatabase = Object.hasOwn(known, key) && known[key]?.format === 'database'
      if (!isDatabase || typeof value !== 'string' || databases.includes(value)) return []
      const at = `${path}/preset/${tool}/${key}`
      return [{ severity: 'warning', code: 'database_missing', message: missing(value), path: at }]
    })
  })
}
