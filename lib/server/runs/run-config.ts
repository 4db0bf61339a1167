/** The config of a run: the draft or a published version of an agent, with the overrides of this run. */
import { hash } from 'node:crypto'
import { canonical, canonicalForHash } from '#lib/graph/canonical'
import { compile } from '#lib/graph/compile'
import type { Catalog } from '#lib/spec/catalog'
import { defaultModel, type Parts } from '#lib/spec/config'
import { AppError } from '#lib/spec/errors'
import { emptyGraph } from '#lib/spec/graph'
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import type { AgentStore, RunnableAgent } from '#lib/spec/store'
import type { Overrides } from '#lib/wire/runs'
import { readConfig } from '../agents/catalog'

/** A config ready to run: canonical bytes, their hash without the canvas, and the node of each entry. */
interface RunConfig {
  readonly text: string
  readonly hash: string
  readonly origins: Readonly<Record<string, string>>
}

export function sha256(text: string): string {
  // Takes half the time of `createHash` for short texts.
  return hash('sha256', text)
}

/**
 * Throws `not_found` for a version that was never published, and `not_compiled` with the
 * diagnostics for a drawing with errors.
 */
export function configOf(
  agents: AgentStore,
  catalog: Catalog,
  { agent, version }: { agent: RunnableAgent; version: number | 'draft' },
): RunConfig {
  if (version !== 'draft') {
    const published = agents.version(agent.id, version)
    if (published === undefined)
      throw new AppError('not_found', `${agent.name} has no version ${version}.`, { path: 'version' })
    return { text: published.config, hash: published.configHash, origins: published.origins }
  }
  if (agent.config === null || agent.configHash === null) {
    const { diagnostics } = compile(agents.get(agent.id)?.graph ?? emptyGraph, catalog)
    throw new AppError(
      'not_compiled',
      `${agent.name} cannot run until the errors in its drawing are fixed.`,
      { diagnostics },
    )
  }
  return { text: agent.config, hash: agent.configHash, origins: agent.origins }
}

/** Throws `unprocessable` with the name of the override when the config does not accept it. */
export function applyOverrides(
  base: RunConfig,
  overrides: Overrides,
  { catalog, parts }: { readonly catalog: Catalog; readonly parts?: Parts },
): RunConfig {
  const given = Object.entries(overrides).filter(([, value]) => value !== undefined)
  if (given.length === 0) return base
  let config: JsonObject = JSON.parse(base.text)
  for (const key of ['model', 'instructions', 'temperature', 'maxSteps'] as const) {
    if (overrides[key] === undefined) continue
    config = overridden(config, key, overrides)
    const read = readConfig(config, parts)
    if (read.ok) continue
    const message = `The override ${key} is invalid: ${read.error.map((each) => each.message).join(' ')}`
    throw new AppError('unprocessable', message, { path: `overrides.${key}`, diagnostics: read.error })
  }
  return {
    ...base,
    text: canonical(config, catalog.schema),
    hash: sha256(canonicalForHash(config, catalog.schema)),
  }
}

function overridden(config: JsonObject, key: keyof Overrides, overrides: Overrides): JsonObject {
  const { provider, name } = defaultModel
  const model = isObject(config.model) ? config.model : { provider, name }
  switch (key) {
    case 'model':
      return { ...config, model: overrides.model ?? model }
    case 'instructions':
      return { ...config, instructions: overrides.instructions ?? null }
    case 'temperature':
      return { ...config, model: { ...model, temperature: overrides.temperature ?? null } }
    case 'maxSteps':
      return {
        ...config,
        policies: withSteps(
          Array.isArray(config.policies) ? config.policies : [],
          overrides.maxSteps ?? null,
        ),
      }
  }
  return key satisfies never
}

/**
 * The smallest step limit applies, so every entry gets the new one; the paths of other entries do not change.
 */
function withSteps(policies: readonly JsonValue[], max: number | null): JsonValue[] {
  const isSteps = (entry: JsonValue) => isObject(entry) && entry.use === 'steps'
  if (!policies.some(isSteps)) return [...policies, { use: 'steps', max }]
  return policies.map((entry) => (isObject(entry) && entry.use === 'steps' ? { ...entry, max } : entry))
}
