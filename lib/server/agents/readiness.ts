/**
 * Compares a config with this server: one warning for each thing that the config names and the server lacks.
 */

import type { NamedAgent } from '#lib/spec/agents-port'
import {
  type AgentConfig,
  defaultModel,
  type ModelSettings,
  type Parts,
  type ToolEntry,
} from '#lib/spec/config'
import type { Diagnostic } from '#lib/spec/errors'
import { globMatcher } from '#lib/spec/glob'
import { isObject } from '#lib/spec/json'
import type { SkillSettings } from '#lib/spec/skill'
import { noSkills, type SkillsPort } from '#lib/spec/skill-port'
import type { Tool } from '#lib/spec/tool'
import { listFirstNames } from '#lib/spec/tool-class'
import { agent } from '#lib/toolkits/agent'
import { builtin } from '#lib/toolkits/builtin'
import { knowledge } from '#lib/toolkits/knowledge'
import { mcp } from '#lib/toolkits/mcp'
import { memory } from '#lib/toolkits/memory'
import { changedOperations, openapi } from '#lib/toolkits/openapi'
import { productParts } from '../parts'
import type { Lack } from '../providers/connections'
import { type PriceOf, pricedOf } from '../providers/prices'
import type { Vault } from '../secrets/secrets'
import { type FoundAgent, reachAgents } from './reach-agents'
import { type NamedModel, summaryModelOf } from './summary-model'

export interface Available {
  /** Names of the registered databases. */
  readonly databases: readonly string[]
  /** The message for a missing database; by default, how to register it on a server. */
  missing?(name: string): string
  /** Whether an MCP server of this name is set up. */
  hasMcpServer(name: string): boolean
  /** What to do about one that is not; by default, how to add it on a server. */
  readonly addMcpServer?: string
  /** Whether a collection of this name exists. */
  hasCollection(name: string): boolean
  /** What to do about one that does not; by default, how to make it on a server. */
  readonly addCollection?: string
  /** Why nothing is remembered; by default, memories are kept. */
  readonly memoryProblem?: string | undefined
  /** What the provider of the model lacks. */
  lackOf(model: ModelSettings): Lack | undefined
  readonly priceOf: PriceOf
  /** Opens a secret for an origin. */
  readonly open: Vault['open']
  /** Why a built-in tool cannot be offered; by default all can. */
  lackOfTool?(tool: Tool): string | undefined
  /** The agent that an entry names; by default, no agent is looked for. */
  findAgent?(named: NamedAgent): FoundAgent
  /** The operations of an OpenAPI document, by name; by default there are no documents. */
  operationHashes?(document: string): ReadonlyMap<string, string> | undefined
  /** Default: there are no skills. */
  readonly skills?: SkillsPort
  /** What to do about a skill that is not here; by default, how to import it on a server. */
  readonly addSkill?: string
}

const importIt = 'Import its folder under Settings → Skills, or choose another.'
const addIt = 'Add it under Settings → MCP servers, or choose another.'

const makeIt = 'Make it under Settings → Knowledge and add its files, or choose another.'

function registerIt(name: string): string {
  return `No database "${name}" is registered on this server. Register it under Settings, or choose another.`
}

/**
 * Finds what a drawing alone cannot show; patterns and presets that name no tool are
 * found when the graph is checked.
 */
export function readiness(
  {
    name,
    tools: entries,
    model = defaultModel,
    policies,
    skills: used,
  }: Pick<AgentConfig, 'name' | 'tools' | 'model' | 'policies' | 'skills'>,
  {
    databases,
    missing = registerIt,
    hasMcpServer,
    addMcpServer = addIt,
    hasCollection,
    addCollection = makeIt,
    memoryProblem,
    lackOf,
    priceOf,
    open,
    lackOfTool,
    operationHashes,
    skills = noSkills,
    addSkill = importIt,
    findAgent,
  }: Available,
  { tools, toolkits, policies: parts }: Pick<Parts, 'tools' | 'toolkits' | 'policies'> = productParts,
): Diagnostic[] {
  const lack = lackOf(model)
  const forSummaries = summaryModelOf(policies, parts)
  return [
    ...(lack === undefined ? [] : [{ severity: 'warning' as const, ...lack }]),
    ...(forSummaries === undefined ? [] : lacksOfSummaries(forSummaries, lackOf)),
    ...entries.flatMap((entry, index) =>
      missingDatabases(entry, `tools/${index}`, { databases, missing, tools }),
    ),
    ...entries.flatMap((entry, index) =>
      missingMcpServer(entry, `tools/${index}/server`, { hasMcpServer, addMcpServer }),
    ),
    ...entries.flatMap((entry, index) => missingForTools(entry, `tools/${index}`, { lackOfTool, tools })),
    ...entries.flatMap((entry, index) =>
      missingCollections(entry, `tools/${index}/collections`, { hasCollection, addCollection }),
    ),
    ...entries.flatMap((entry, index) => missingMemory(entry, `tools/${index}`, memoryProblem)),
    ...faultsOfAgents({ name, tools: entries }, findAgent),
    ...unknownPrices(policies, model, priceOf),
    ...(forSummaries === undefined ? [] : unknownPrices(policies, { ...forSummaries.model }, priceOf)),
    ...missingSecrets(policies, open),
    ...entries.flatMap((entry, index) => checkEntry(entry, `tools/${index}`, { toolkits, open })),
    ...entries.flatMap((entry, index) => changesOfDocument(entry, `tools/${index}`, operationHashes)),
    ...used.flatMap((each, index) => skillLacks(each, `skills/${index}`, { skills, addSkill })),
  ]
}

/** Agents that cannot be called, and calls between agents without an end, for which a run would be refused. */
function faultsOfAgents(
  { name, tools }: Pick<AgentConfig, 'name' | 'tools'>,
  find: Available['findAgent'],
): Diagnostic[] {
  if (find === undefined || tools.every(({ use }) => use !== agent.id)) return []
  const { refused, lacking } = reachAgents({ name, config: { tools } }, find)
  return [...refused, ...lacking].map((each) => ({ severity: 'warning', ...each }))
}

function lacksOfSummaries({ model, path }: NamedModel, lackOf: Available['lackOf']): Diagnostic[] {
  const lack = lackOf({ ...model })
  if (lack === undefined) return []
  return [{ severity: 'warning', ...lack, path: lack.path.replace(/^model/, path) }]
}

/** Whether the cost of the model's answers is known: there is a price, or it is played on this machine for nothing. */
export function isPriced(model: ModelSettings, priceOf: PriceOf): boolean {
  return model.provider === defaultModel.provider || priceOf(pricedOf(model)) !== undefined
}

/** A limit in dollars has no effect while the price of the model is unknown. */
function unknownPrices(
  policies: AgentConfig['policies'],
  model: ModelSettings,
  priceOf: PriceOf,
): Diagnostic[] {
  if (isPriced(model, priceOf)) return []
  const message = `The price of ${model.name} is not known, so this limit in dollars cannot be enforced. Enter the price under Settings, or remove the limit.`
  return policies.flatMap(({ use, usd }, index): Diagnostic[] => {
    if (use !== 'budget' || usd === undefined) return []
    return [{ severity: 'warning', code: 'price_unknown', message, path: `policies/${index}/usd` }]
  })
}

/** A hook whose header names a secret that cannot be opened for its address would fail at every call. */
function missingSecrets(policies: AgentConfig['policies'], open: Vault['open']): Diagnostic[] {
  return policies.flatMap((policy, index): Diagnostic[] => {
    if (policy.use !== 'hook' || typeof policy.url !== 'string' || !URL.canParse(policy.url)) return []
    const { origin } = new URL(policy.url)
    return Object.entries(isObject(policy.headers) ? policy.headers : {}).flatMap(
      ([name, value]): Diagnostic[] => {
        if (!isObject(value) || typeof value.secret !== 'string') return []
        const opened = open(value.secret, origin)
        if (opened.ok) return []
        const path = `policies/${index}/headers/${name}`
        return [{ severity: 'warning', code: 'secret_missing', message: opened.problem, path }]
      },
    )
  })
}

/** What an entry's toolkit warns of, and its secrets that cannot be opened. */
function checkEntry(
  entry: ToolEntry,
  path: string,
  { toolkits, open }: Pick<Parts, 'toolkits'> & Pick<Available, 'open'>,
): Diagnostic[] {
  const toolkit = toolkits.find(({ id }) => id === entry.use)
  const warnings = (toolkit?.check?.(entry) ?? []).filter(({ severity }) => severity === 'warning')
  const secrets = toolkit?.secrets?.(entry) ?? []
  return [
    ...warnings.map((each) => ({ ...each, path: `${path}/${each.path}` })),
    ...secrets.flatMap((each): Diagnostic[] => {
      const opened = open(each.name, each.origin)
      if (opened.ok) return []
      const place = `${path}/${each.path}`
      return [{ severity: 'warning', code: 'secret_missing', message: opened.problem, path: place }]
    }),
  ]
}

/** Operations that are off, since their document has changed. */
function changesOfDocument(
  entry: ToolEntry,
  path: string,
  hashesOf: Available['operationHashes'],
): Diagnostic[] {
  // An entry of a config that was read has the settings of its toolkit.
  const read = entry.use === openapi.id ? openapi.settings.safeParse(entry).data : undefined
  const hashes = read?.document && hashesOf?.(read.document.name)
  if (read === undefined || hashes === undefined) return []
  const changed = changedOperations(read.operations, hashes)
  if (changed.length === 0) return []
  const names = listFirstNames(changed.map(({ name }) => name))
  const message = `${names} ${changed.length === 1 ? 'has' : 'have'} changed in the document “${read.document?.name}”, and ${changed.length === 1 ? 'is' : 'are'} off until you have looked at ${changed.length === 1 ? 'it' : 'them'}.`
  return [{ severity: 'warning', code: 'operations_changed', message, path: `${path}/operations` }]
}

/** Built-in tools that this server cannot offer now: one warning for each reason. */
function missingForTools(
  entry: ToolEntry,
  path: string,
  { lackOfTool, tools }: Pick<Available, 'lackOfTool'> & Pick<Parts, 'tools'>,
): Diagnostic[] {
  if (entry.use !== builtin.id || !Array.isArray(entry.tools)) return []
  const chosen = entry.tools.filter((each) => typeof each === 'string').map(globMatcher)
  const lacking = new Map<string, string[]>()
  for (const tool of tools) {
    if (tool.lack === undefined || !chosen.some((fits) => fits(tool.name))) continue
    const reason = lackOfTool?.(tool)
    if (reason !== undefined) lacking.set(reason, [...(lacking.get(reason) ?? []), tool.name])
  }
  return [...lacking].map(([reason, names]) => {
    const isOne = names.length === 1
    const message = `${listFirstNames(names)} ${isOne ? 'is' : 'are'} not offered: ${reason}`
    return { severity: 'warning', code: 'tool_unavailable', message, path: `${path}/tools` }
  })
}

/** The beginning of a hash, by which a person can tell versions apart. */
const shownHash = 'sha256:'.length + 8

/** A skill that is not here, or has other files than those that a person has looked at. */
function skillLacks(
  { name, hash }: SkillSettings,
  path: string,
  { skills, addSkill }: Required<Pick<Available, 'skills' | 'addSkill'>>,
): Diagnostic[] {
  const found = skills.find(name)
  if (found?.hash === hash) return []
  if (found !== undefined) {
    const message = `The skill “${name}” has changed, and is off until you have looked at the changes.`
    return [{ severity: 'warning', code: 'skill_changed', message, path: `${path}/hash` }]
  }
  const message = `There is no skill “${name}” (${hash.slice(0, shownHash)}…) here, so the agent runs without it. ${addSkill}`
  return [{ severity: 'warning', code: 'skill_missing', message, path: `${path}/name` }]
}

function missingMcpServer(
  { use, server }: ToolEntry,
  path: string,
  { hasMcpServer, addMcpServer }: Required<Pick<Available, 'hasMcpServer' | 'addMcpServer'>>,
): Diagnostic[] {
  if (use !== mcp.id || typeof server !== 'string' || hasMcpServer(server)) return []
  const message = `No MCP server “${server}” is set up here, so its tools are not offered. ${addMcpServer}`
  return [{ severity: 'warning', code: 'mcp_server_missing', message, path }]
}

function missingCollections(
  { use, collections }: ToolEntry,
  path: string,
  { hasCollection, addCollection }: Required<Pick<Available, 'hasCollection' | 'addCollection'>>,
): Diagnostic[] {
  if (use !== knowledge.id || !Array.isArray(collections)) return []
  return collections.flatMap((name, at): Diagnostic[] => {
    if (typeof name !== 'string' || hasCollection(name)) return []
    const message = `There is no collection “${name}” here, so it is not searched. ${addCollection}`
    return [{ severity: 'warning', code: 'collection_missing', message, path: `${path}/${at}` }]
  })
}

function missingMemory({ use }: ToolEntry, path: string, problem: string | undefined): Diagnostic[] {
  if (use !== memory.id || problem === undefined) return []
  const message = `${problem} The agent runs without it.`
  return [{ severity: 'warning', code: 'memory_missing', message, path }]
}

function missingDatabases(
  { preset }: ToolEntry,
  path: string,
  { databases, missing, tools }: Required<Pick<Available, 'databases' | 'missing'>> & Pick<Parts, 'tools'>,
): Diagnostic[] {
  return Object.entries(preset).flatMap(([tool, given]) => {
    const known = tools.find((each) => each.name === tool)?.parameters.properties ?? {}
    return Object.entries(given).flatMap(([key, value]): Diagnostic[] => {
      const isDatabase = Object.hasOwn(known, key) && known[key]?.format === 'database'
      if (!isDatabase || typeof value !== 'string' || databases.includes(value)) return []
      // A file of the thread is known only in a run.
      if (value.startsWith('file:')) return []
      const at = `${path}/preset/${tool}/${key}`
      return [{ severity: 'warning', code: 'database_missing', message: missing(value), path: at }]
    })
  })
}
