/** Stored agents and versions as lists show them, with what is wrong with those that can not be run. */
import type { AgentSummary, VersionView } from '#lib/http/agents'
import type { AgentRow, VersionRow } from '#lib/spec/store'
import { readConfig } from './catalog'

/** Why a stored config can not be run: it was written by a version that knew parts this one lacks. Answers are kept by hash. */
export function createProblems(): (row: AgentRow) => string | undefined {
  const known = new Map<string, string | undefined>()
  return ({ config, configHash, problem }) => {
    if (config === null || configHash === null) return problem
    if (!known.has(configHash)) {
      if (known.size > 10_000) known.clear()
      known.set(configHash, problemOf(config))
    }
    return known.get(configHash)
  }
}

function problemOf(config: string): string | undefined {
  try {
    const read = readConfig(JSON.parse(config))
    const [first] = read.ok ? [] : read.error
    if (first === undefined) return undefined
    const where = first.path === undefined ? '' : ` (at ${first.path})`
    return `This version of Loopwright can not run it${where}: ${first.message}`
  } catch {
    return 'The stored config is no JSON.'
  }
}

export function toSummary(row: AgentRow, version: number | null, problem: string | undefined): AgentSummary {
  const { id, name, title, description, revision, configHash, createdAt, updatedAt } = row
  return {
    id,
    name,
    title,
    description,
    revision,
    runnable: row.config !== null && problem === undefined,
    ...(problem !== undefined && { problem }),
    configHash,
    version,
    graph: row.graph,
    createdAt,
    updatedAt,
  }
}

export function toVersion({ version, configHash, config, createdAt }: VersionRow): VersionView {
  return { version, configHash, config: JSON.parse(config), createdAt }
}
