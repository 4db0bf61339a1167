/** Agents and their published versions on the wire. */
import { z } from 'zod'
import { graphDigest } from '#lib/spec/digest'
import { diagnostic } from '#lib/spec/errors'
import { graphDocument } from '#lib/spec/graph'
import { jsonObject, jsonValue } from '#lib/spec/json'
import { origins } from './compile'

const ms = z.int().nonnegative()

/** An agent in the list. */
const agentSummary = z.strictObject({
  id: z.string(),
  name: z.string(),
  title: z.string(),
  description: z.string(),
  revision: z.int().positive(),
  /** Whether the drawing compiles, so that it can run and be exported. */
  runnable: z.boolean(),
  /**
   * Why it cannot be opened or run as stored; absent if it can, and if its drawing only has errors to fix.
   */
  problem: z.string().optional(),
  configHash: z.string().nullable(),
  /** The newest published version; null before the first. */
  version: z.int().positive().nullable(),
  /** A short form of the drawing; the full drawing comes with the agent itself. */
  digest: graphDigest,
  createdAt: ms,
  updatedAt: ms,
})
export type AgentSummary = z.infer<typeof agentSummary>

export const agentView = z.strictObject({
  id: z.string(),
  name: z.string(),
  graph: graphDocument,
  /** Null while the graph has errors. */
  config: jsonObject.nullable(),
  diagnostics: z.array(diagnostic),
  origins,
  revision: z.int().positive(),
})
export type AgentView = z.infer<typeof agentView>

/**
 * An agent's config as a file; its full schema is published as `schema/agent-v1.json`. Any JSON is accepted
 * here, so that its errors are reported as for any other config; it is described as an object.
 */
export const agentFile = jsonValue.meta({
  type: 'object',
  propertyNames: { type: 'string' },
  additionalProperties: {},
})

/** An imported agent, with what its config names and this server lacks. */
export const importedAgent = agentView.extend({
  /**
   * Warnings with their path: a provider without a key, or a database, secret or price that this server does
   * not have.
   */
  lacks: z.array(diagnostic),
})
export type ImportedAgent = z.infer<typeof importedAgent>

/** A template for new agents; `config` is its starting config. */
const template = z.strictObject({
  id: z.string(),
  title: z.string(),
  help: z.string(),
  icon: z.string(),
  family: z.enum(['agent', 'model', 'tool', 'mcp', 'policy', 'memory', 'output', 'note']),
  config: jsonObject,
  /** The agents that it calls, to be created where there is none of their name; absent when it calls none. */
  others: z.array(jsonObject).optional(),
})
export type Template = z.infer<typeof template>

export const templateList = z.strictObject({ items: z.array(template) })
export type TemplateList = z.infer<typeof templateList>

export const agentList = z.strictObject({ items: z.array(agentSummary), next: z.string().optional() })
export type AgentList = z.infer<typeof agentList>

const content = { graph: graphDocument.optional(), config: jsonObject.optional() }
const revision = z.int().positive()

/** One object and a rule rather than a union, so that an error is reported at its own key. */
const isOne = ({ graph, config }: { graph?: unknown; config?: unknown }) =>
  (graph === undefined) !== (config === undefined)
const oneOfBoth = 'Either "graph" or "config" is required, but not both'

export const createAgent = z.strictObject(content).refine(isOne, oneOfBoth)
export type CreateAgent = z.infer<typeof createAgent>

/** `revision` is the latest one that the caller has seen. */
export const saveAgent = z.strictObject({ ...content, revision }).refine(isOne, oneOfBoth)
export type SaveAgent = z.infer<typeof saveAgent>

/** A published config; it never changes. */
export const versionView = z.strictObject({
  version: z.int().positive(),
  configHash: z.string(),
  config: jsonObject,
  createdAt: ms,
})
export type VersionView = z.infer<typeof versionView>

export const versionList = z.strictObject({ items: z.array(versionView), next: z.string().optional() })
export type VersionList = z.infer<typeof versionList>

/** Publishing and restoring may name the revision they apply to. */
export const atRevision = z.strictObject({ revision: revision.optional() })

export const importQuery = z.strictObject({ rename: z.enum(['0', '1']).optional() })
