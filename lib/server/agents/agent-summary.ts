/** Stored agents and versions as lists show them, with the problem of each agent that cannot run. */
import { digestOf } from '#lib/graph/digest'
import type { Catalog } from '#lib/spec/catalog'
import type { Parts } from '#lib/spec/config'
import type { GraphDigest } from '#lib/spec/digest'
import { emptyGraph } from '#lib/spec/graph'
import type { AgentHead, AgentRow, AgentStore, VersionRow } from '#lib/spec/store'
import type { AgentSummary, VersionView } from '#lib/wire/agents'
import { productParts } from '../parts'
import { readConfig } from './catalog'

/** What a list shows of an agent in addition to its columns, from its drawing and its config. */
interface Told {
  readonly digest: GraphDigest
  /**
   * Why the agent cannot run: its drawing is unreadable, or its config names parts that this version lacks.
   */
  readonly problem: string | undefined
}

/**
 * The agents of a list, cached by revision: each revision is read, digested and checked once, however
 * often the list is requested.
 */
export function createSummaries(
  store: Pick<AgentStore, 'heads' | 'get' | 'newestVersions'>,
  catalog: Catalog,
  parts: Parts = productParts,
): () => AgentSummary[] {
  let known = new Map<string, Told & { revision: number }>()
  return () => {
    const versions = store.newestVersions()
    const next: typeof known = new Map()
    const items = store.heads().map((head) => {
      const before = known.get(head.id)
      const told =
        before?.revision === head.revision ? before : configFacts(store.get(head.id), { catalog, parts })
      next.set(head.id, { ...told, revision: head.revision })
      return toSummary(head, versions.get(head.id) ?? null, told)
    })
    known = next
    return items
  }
}

function configFacts(
  row: AgentRow | undefined,
  { catalog, parts }: { catalog: Catalog; parts: Parts },
): Told {
  if (row === undefined) return { digest: digestOf(emptyGraph, catalog), problem: undefined }
  const problem = row.problem ?? (row.config === null ? undefined : problemOf(row.config, parts))
  return { digest: digestOf(row.graph, catalog), problem }
}

function problemOf(config: string, parts: Parts): string | undefined {
  try {
    const read = readConfig(JSON.parse(config), parts)
    const [first] = read.ok ? [] : read.error
    if (first === undefined) return undefined
    const where = first.path === undefined ? '' : ` (at ${first.path})`
    return `This version of Loopwright cannot run it${where}: ${first.message}`
  } catch {
    return 'The stored config is not valid JSON.'
  }
}

function toSummary(head: AgentHead, version: number | null, { digest, problem }: Told): AgentSummary {
  const { id, name, title, description, revision, configHash, createdAt, updatedAt } = head
  return {
    id,
    name,
    title,
    description,
    revision,
    runnable: configHash !== null && problem === undefined,
    ...(problem !== undefined && { problem }),
    configHash,
    version,
    digest,
    createdAt,
    updatedAt,
  }
}

export function toVersion({ version, configHash, config, createdAt }: VersionRow): VersionView {
  return { version, configHash, config: JSON.parse(config), createdAt }
}
