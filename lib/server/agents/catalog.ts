/** Composes all parts into the one config schema and into the catalog, the plain data behind every screen. */
import type { z } from 'zod'
import type { Catalog, CatalogTool } from '#lib/spec/catalog'
import { type AgentConfig, configSchema, type Parts, schemaUrn } from '#lib/spec/config'
import type { Result } from '#lib/spec/errors'
import { type JsonSchema, toJsonSchema } from '#lib/spec/json'
import type { Tool } from '#lib/spec/tool'
import { inWords } from '#lib/wire/issues'
import { productParts } from '../parts'
import { nodeKinds } from './catalog-kinds'

const schemas = new WeakMap<Parts, z.ZodType<AgentConfig>>()

/**
 * The schema of a whole agent config: the keys of every part, with every default.
 * Created once per set of parts.
 */
function schemaOf(parts: Parts): z.ZodType<AgentConfig> {
  const schema = schemas.get(parts) ?? configSchema(parts)
  schemas.set(parts, schema)
  return schema
}

/** Reads a config that was parsed from JSON. Each problem is one diagnostic with its path (`tools/0/use`). */
export function readConfig(value: unknown, parts: Parts = productParts): Result<AgentConfig> {
  const read = schemaOf(parts).safeParse(value)
  if (read.success) return { ok: true, value: read.data }
  return { ok: false, error: read.error.issues.flatMap((issue) => inWords(issue, value)) }
}

/** The content of `public/schema/agent-v1.json`. */
export function publishedSchema(parts: Parts = productParts): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: schemaUrn,
    title: 'Loopwright agent',
    description: 'An agent as Loopwright exports, imports and runs it.',
    ...toJsonSchema(schemaOf(parts)),
  }
}

const catalogs = new WeakMap<Parts, Map<string, Catalog>>()

/**
 * Creates the catalog: frozen, and the same object for the same version and parts.
 * @param version the version of the product
 */
export function createCatalog(version: string, parts: Parts = productParts): Catalog {
  const made = catalogs.get(parts) ?? new Map<string, Catalog>()
  catalogs.set(parts, made)
  const known = made.get(version)
  if (known !== undefined) return known
  const catalog: Catalog = {
    version,
    kinds: nodeKinds(parts),
    tools: [
      ...parts.tools.map((each) => catalogTool(each, 'builtin')),
      ...parts.toolkits.flatMap(({ id, tools = [] }) => tools.map((each) => catalogTool(each, id))),
    ],
    providers: parts.providers.map(({ id, label, help, service }) => ({
      id,
      label,
      help,
      ...(service?.endpoint !== undefined && { endpoint: service.endpoint }),
    })),
    schema: publishedSchema(parts),
  }
  // A copy, since the tools' own schemas are also used for validation, and
  // validators mark the schemas they read.
  const frozen = structuredClone(catalog)
  freeze(frozen)
  made.set(version, frozen)
  return frozen
}

function catalogTool({ reading, ...tool }: Tool, use: string): CatalogTool {
  const {
    run: _run,
    aliases: _names,
    sharedNames: _shared,
    argumentAliases: _arguments,
    draft: _draft,
    ends: _ends,
    core: _core,
    hint: _hint,
    changesRun: _own,
    lack: _lack,
    ...shown
  } = tool
  return { ...shown, ...(reading && { canOnlyRead: true }), use }
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const each of Object.values(value)) freeze(each)
}
