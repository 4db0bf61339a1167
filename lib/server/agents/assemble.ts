/** Turns a config into the live parts of a run: model client, bound tools, policies and protocol. */
import type { NamingModel, OtherModel } from '#lib/agent/deps'
import { limitsOf } from '#lib/agent/limits'
import { discoveryRule } from '#lib/agent/request/discovery'
import { offerOf } from '#lib/agent/request/offering'
import { bindPolicies, withAskedFirst } from '#lib/policies/bind'
import {
  type AgentConfig,
  defaultFormat,
  defaultModel,
  type ModelSettings,
  type Parts,
} from '#lib/spec/config'
import type { Diagnostic, Result } from '#lib/spec/errors'
import { type JsonObject, type JsonSchema, tryParseJson } from '#lib/spec/json'
import type { Breaker, ModelClient, ModelContext, Price } from '#lib/spec/model'
import type { BoundPolicy } from '#lib/spec/policy'
import type { Codec } from '#lib/spec/protocol'
import type { Redact } from '#lib/spec/redact'
import { settleNames } from '#lib/spec/tool-names'
import type { BoundGroup, BoundTool, Recaller } from '#lib/spec/toolkit'
import { keyVariable } from '#lib/spec/variables'
import { bindTool, openEntry, recallerOf } from '#lib/toolkits/entry'
import { toolsFind } from '#lib/tools/find'
import { observationGet } from '#lib/tools/observation-get'
import { productParts } from '../parts'
import { contextWindowOf } from '../providers/context-windows'
import { homeOf } from '../providers/homes'
import { type Priced, pricedOf } from '../providers/prices'
import { inWords } from '../providers/scripted-text'
import { readConfig } from './catalog'
import { withFinish } from './finish-tool'
import { bindGroups, withEquip } from './groups'
import { bindSkills } from './skills'
import { summaryModelOf } from './summary-model'
import { type Lister, listerOf, namedTools, type OpenedEntry, withOwnNames } from './tools-now'

/** What a run needs from the server, or from the command line. */
export interface Surroundings extends ModelContext {
  /** Default: the parts of the product. */
  readonly parts?: Parts
  /** The model's price; without it no price is known. */
  priceOf?(asked: Priced): Price | undefined
  /** The circuit breaker shared by all callers of a model. */
  breakerOf?(asked: Priced): Breaker
  /** Replaces known secrets in the output of a run. */
  readonly redact?: Redact
}

/** Everything in a run that comes from its config. */
export interface Assembled {
  readonly config: AgentConfig
  readonly model: ModelClient
  /** Opened with the tools that the policies offer. */
  readonly codec: Codec
  /** All tools of the config in offer order, withheld ones included. */
  readonly tools: readonly BoundTool[]
  readonly policies: readonly BoundPolicy[]
  readonly groups: readonly BoundGroup[]
  /** Absent when no toolkit of the config has tools that change. */
  readonly lister?: Lister
  /** Entries that give runs something at their start, or remember them at their end. */
  readonly recallers: readonly Recaller[]
  /** Tools that a run offers once its own dialogue was cut. */
  readonly toolsAfterCut: readonly BoundTool[]
  readonly instructions: string
  readonly nextStepPrompt: string
  /** Empty when a cancelled run ends without one. */
  readonly interruptReply: string
  /** The schema that the answer must fit. */
  readonly output?: JsonSchema
  readonly modelTimeoutSeconds: number
  readonly price?: Price
  /** The tokens that the model accepts in one request; null when unknown. */
  readonly contextWindow: number | null
  /** The model that is asked for summaries, where it is another one. */
  readonly summaryModel?: OtherModel
  /** The model that is asked for names of tools, where it takes a temperature. */
  readonly namingModel?: NamingModel
  /** The environment variable, and the secret, that would hold the key of the model's provider. */
  readonly keyVariable: string
  readonly breaker?: Breaker
  readonly redact?: Redact
}

/**
 * Assembles a config given as JSON text or as data. When the config does not fit, or needs a part that this
 * program lacks, it returns diagnostics; it never throws for these.
 */
export async function assemble(
  given: string | JsonObject,
  context: Surroundings,
): Promise<Result<Assembled>> {
  const value = typeof given === 'string' ? tryParseJson(given) : given
  if (value === undefined) return failWith([finding('invalid_json', 'The config is not valid JSON.')])
  const { parts = productParts } = context
  const read = readConfig(value, parts)
  if (!read.ok) return read
  const config = read.value
  const opened = await openTools(config, parts)
  if (!opened.ok) return opened
  const skills = bindSkills(config)
  const bound = withAskedFirst(bindPolicies(config.policies, parts.policies), [
    ...opened.value.flatMap(({ tools }) => tools),
    ...skills.tools,
  ])
  const groups = bindGroups(config)
  const complete = (tools: readonly BoundTool[], ofSkills = skills.tools) =>
    withFinish(withFind(withEquip([...tools, ...ofSkills], groups, bound), bound), config, bound)
  const offering = complete(withOwnNames(opened.value))
  const lister = listerOf(opened.value, complete, skills.lister)
  const model = connect(config.model ?? defaultModel, context, parts)
  const summaryModel = connectForSummaries(config, context, parts)
  const namingModel = limitsOf(bound).personas?.generate ? connectForNames(config, context, parts) : undefined
  const protocol = openProtocol(config, parts)
  if (!model.ok) return model
  if (!summaryModel.ok) return summaryModel
  if (!protocol.ok) return protocol
  const codec = protocol.value(offerOf({ tools: offering, policies: bound, groups }).offered)
  const { client, isService, rest } = model.value
  return {
    ok: true,
    value: {
      config,
      model: isService || codec.format === defaultFormat ? client : inWords(client, codec),
      codec,
      tools: offering,
      policies: bound,
      groups,
      ...(lister && { lister }),
      recallers: opened.value.flatMap((each) => recallerOf(each) ?? []),
      toolsAfterCut,
      instructions: config.instructions,
      nextStepPrompt: config.nextStepPrompt,
      interruptReply: config.interruptReply,
      ...(config.output && { output: config.output.schema }),
      ...rest,
      ...(summaryModel.value && { summaryModel: summaryModel.value }),
      ...(namingModel && { namingModel }),
      ...(context.redact && { redact: context.redact }),
    },
  }
}

async function openTools(
  { tools: entries }: AgentConfig,
  { toolkits, tools }: Parts,
): Promise<Result<OpenedEntry[]>> {
  const byUse = new Map(toolkits.map((each) => [each.id, each]))
  const opened: OpenedEntry[] = []
  for (const [index, entry] of entries.entries()) {
    const toolkit = byUse.get(entry.use)
    if (toolkit === undefined) return failWith([lacking('toolkit', entry.use, `tools/${index}/use`)])
    const offered = await openEntry({ toolkit, entry, index }, { tools })
    if (!offered.ok) return offered
    opened.push({ toolkit, entry, index, tools: offered.value })
  }
  const clash = clashIn(opened)
  return clash === undefined ? { ok: true, value: opened } : failWith([clash])
}

/** The first tool whose name an earlier entry has, where its own entry makes that an error. */
function clashIn(opened: readonly OpenedEntry[]): Diagnostic | undefined {
  const named = namedTools(opened)
  for (const [index, settled] of settleNames(named).entries()) {
    const tool = named[index]?.tool
    if (tool === undefined || settled.is !== 'clash') continue
    return finding(
      'tool_twice',
      `"${tool.name}" is offered by ${named[settled.with]?.tool.node} already.`,
      tool.node,
    )
  }
  return undefined
}

/** Adds `tools.find`, which is offered while the policy `discovery` holds tools back. */
function withFind(tools: readonly BoundTool[], policies: readonly BoundPolicy[]): readonly BoundTool[] {
  const isNeeded = policies.some(({ use }) => use === discoveryRule)
  return isNeeded ? [...tools, bindTool(toolsFind, { use: 'builtin', preset: {} }, 'agent')] : tools
}

const toolsAfterCut = [bindTool(observationGet, { use: 'builtin', preset: {} }, 'agent')]

/** The time limit of a model that sets none of its own. */
const modelTimeoutSeconds = 300

/** A model that runs inside this program costs nothing. */
const free: Price = { input: 0, output: 0 }

interface Connected {
  readonly client: ModelClient
  /** Whether the model is a remote service, rather than a script in this program. */
  readonly isService: boolean
  readonly rest: Pick<
    Assembled,
    'modelTimeoutSeconds' | 'price' | 'breaker' | 'contextWindow' | 'keyVariable'
  >
}

/** The model that the config names for summaries; undefined when it names none. */
function connectForSummaries(
  { policies: entries }: Pick<AgentConfig, 'policies'>,
  context: Surroundings,
  parts: Parts,
): Result<OtherModel | undefined> {
  const named = summaryModelOf(entries, parts.policies)
  if (named === undefined) return { ok: true, value: undefined }
  const connected = connect({ ...named.model }, context, { ...parts, path: `${named.path}/` })
  if (!connected.ok) return connected
  const { client, rest } = connected.value
  const { price, contextWindow, modelTimeoutSeconds: timeoutSeconds } = rest
  return { ok: true, value: { client, contextWindow, timeoutSeconds, ...(price && { price }) } }
}

/** The likeliest names, so that one task gets the same ones each time. */
const namingTemperature = 0.01

/** The model of the config for names; undefined where its provider has no setting for the temperature. */
function connectForNames(
  { model = defaultModel }: Pick<AgentConfig, 'model'>,
  context: Surroundings,
  parts: Parts,
): NamingModel | undefined {
  const provider = parts.providers.find(({ id }) => id === model.provider)
  if (provider === undefined || !('temperature' in provider.settings.shape)) return undefined
  const { temperature: _, ...others } = model
  const cool = connect({ ...others, temperature: namingTemperature }, context, parts)
  const plain = connect(others, context, parts)
  return cool.ok && plain.ok ? { cool: cool.value.client, plain: plain.value.client } : undefined
}

function connect(
  { provider: id, ...given }: ModelSettings,
  context: Surroundings,
  { providers, path = 'model/' }: Pick<Parts, 'providers'> & { readonly path?: string },
): Result<Connected> {
  const provider = providers.find((each) => each.id === id)
  if (provider === undefined) return failWith([lacking('provider', id, `${path}provider`)])
  const read = provider.settings.safeParse(given)
  if (!read.success) return failWith(read.error.issues.map((issue) => unfit(issue, path)))
  const settings = read.data
  const { timeoutSeconds, contextWindow } = settings
  const model = { provider: id, ...given }
  const asked = pricedOf(model)
  return {
    ok: true,
    value: {
      client: provider.connect(settings, context),
      isService: provider.service !== undefined,
      rest: {
        modelTimeoutSeconds: typeof timeoutSeconds === 'number' ? timeoutSeconds : modelTimeoutSeconds,
        contextWindow: typeof contextWindow === 'number' ? contextWindow : contextWindowOf(providers, asked),
        keyVariable: keyVariable(asked.endpoint ?? homeOf(providers, id)),
        ...chargesOf(model, context, providers),
      },
    },
  }
}

/** What a model costs, and the breaker that protects it: the parts of a run that may change while its config does not. */
export function chargesOf(
  model: ModelSettings,
  { priceOf, breakerOf }: Pick<Surroundings, 'priceOf' | 'breakerOf'>,
  providers: Parts['providers'],
): Pick<Assembled, 'price' | 'breaker'> {
  // Without a service there is nothing to protect, and a script that fails on purpose must fail each time.
  if (providers.find(({ id }) => id === model.provider)?.service === undefined) return { price: free }
  const asked = pricedOf(model)
  const price = priceOf?.(asked)
  const breaker = breakerOf?.(asked)
  return { ...(price && { price }), ...(breaker && { breaker }) }
}

/** The protocol that the config requests, to be opened with the offered tools. */
function openProtocol(
  { protocol }: AgentConfig,
  { protocols }: Parts,
): Result<(offered: readonly BoundTool[]) => Codec> {
  const format = protocol?.format ?? defaultFormat
  const part = protocols.find((each) => each.id === format)
  // The config schema guarantees that the format supports the placement.
  const placement = part?.placements.find((each) => each === (protocol?.resultPlacement ?? each))
  if (part === undefined || placement === undefined)
    return failWith([lacking('protocol', format, 'protocol/format')])
  return { ok: true, value: (offered) => part.open(offered, placement, protocol?.locale) }
}

function unfit({ message, path: at }: { message: string; path: PropertyKey[] }, path: string): Diagnostic {
  return finding('invalid', message, `${path}${at.map(String).join('/')}`)
}

function lacking(what: string, name: string, path: string): Diagnostic {
  return finding('part_missing', `This program has no ${what} "${name}".`, path)
}

function finding(code: string, message: string, path?: string): Diagnostic {
  return { severity: 'error', code, message, ...(path === undefined ? {} : { path }) }
}

function failWith(error: Diagnostic[]): { ok: false; error: Diagnostic[] } {
  return { ok: false, error }
}
