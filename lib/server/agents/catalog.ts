/** Composes all parts into the config's one schema and into the catalog of plain data that every screen works from. */
import type { z } from 'zod'
import { providers } from '#lib/models'
import { policies } from '#lib/policies'
import { protocols } from '#lib/protocols'
import type { Catalog } from '#lib/spec/catalog'
import { type AgentConfig, configSchema, type Parts, schemaUrn } from '#lib/spec/config'
import type { Result } from '#lib/spec/errors'
import { type JsonSchema, toJsonSchema } from '#lib/spec/json'
import { toolkits } from '#lib/toolkits'
import { tools } from '#lib/tools'
import { inWords } from '#lib/wire/issues'
import { nodeKinds } from './catalog-kinds'

export const parts: Parts = { toolkits, policies, providers, protocols }

/** The schema of a whole agent config: every part's own keys, every default. */
export const agentConfig: z.ZodType<AgentConfig> = configSchema(parts)

/** Reads a config that was parsed from JSON; what is wrong is told key by key, each with its path (`tools/0/use`). */
export function readConfig(value: unknown): Result<AgentConfig> {
  const read = agentConfig.safeParse(value)
  if (read.success) return { ok: true, value: read.data }
  return { ok: false, error: read.error.issues.flatMap((issue) => inWords(issue, value)) }
}

/** What `public/schema/agent-v1.json` publishes. */
export function publishedSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: schemaUrn,
    title: 'Loopwright agent',
    description: 'An agent as Loopwright exports, imports and runs it.',
    ...toJsonSchema(agentConfig),
  }
}

const catalogs = new Map<string, Catalog>()

/**
 * The catalog: frozen, the same object for the same version.
 * @param version the product's
 */
export function createCatalog(version: string): Catalog {
  const known = catalogs.get(version)
  if (known !== undefined) return known
  const catalog: Catalog = {
    version,
    kinds: nodeKinds(parts),
    tools: tools.map(({ run: _run, aliases: _aliases, ends: _ends, reading, ...shown }) => ({
      ...shown,
      ...(reading && { canOnlyRead: true }),
      use: 'builtin',
    })),
    providers: providers.map(({ id, label, help, service }) => ({
      id,
      label,
      help,
      ...(service?.endpoint !== undefined && { endpoint: service.endpoint }),
    })),
    schema: publishedSchema(),
  }
  // A copy, since the tools' own schemas belong to those who validate with them, and they mark what they have read.
  const frozen = structuredClone(catalog)
  freeze(frozen)
  catalogs.set(version, frozen)
  return frozen
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const each of Object.values(value)) freeze(each)
}
