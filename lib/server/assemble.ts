/** Turns a config into the live parts of a run: a model's client, tools with their settings, policies, the protocol. */
import { offer } from '#lib/agent/offer'
import { policies } from '#lib/policies'
import { bindPolicies } from '#lib/policies/bind'
import { type AgentConfig, defaultModel, type ModelSettings } from '#lib/spec/config'
import type { Diagnostic, Result } from '#lib/spec/errors'
import type { JsonObject, JsonValue } from '#lib/spec/json'
import type { ModelClient, ModelContext } from '#lib/spec/model'
import type { BoundPolicy } from '#lib/spec/policy'
import type { Codec, Protocol, ResultPlacement } from '#lib/spec/protocol'
import type { BoundTool } from '#lib/spec/toolkit'
import { toolkits } from '#lib/toolkits'
import { openEntry } from '#lib/toolkits/entry'
import { tools } from '#lib/tools'
import { parts, readConfig } from './catalog'

/** Everything of a run that comes from its config. */
export interface Assembled {
  readonly config: AgentConfig
  readonly model: ModelClient
  /** Opened over the tools that the policies offer. */
  readonly codec: Codec
  /** All tools of the config in the order offered, withheld ones included. */
  readonly tools: readonly BoundTool[]
  readonly policies: readonly BoundPolicy[]
  readonly instructions: string
  readonly modelTimeoutSeconds: number
}

/**
 * Assembles a config given as JSON text or as data. A config that does not fit, or that needs a part this program lacks,
 * is answered with diagnostics; it never throws for them.
 */
export async function assemble(
  given: string | JsonObject,
  context: ModelContext,
): Promise<Result<Assembled>> {
  const value = typeof given === 'string' ? parse(given) : given
  if (value === undefined) return failed([finding('invalid_json', 'The config is no JSON.')])
  const read = readConfig(value)
  if (!read.ok) return read
  const config = read.value
  const opened = await openTools(config)
  if (!opened.ok) return opened
  const bound = bindPolicies(config.policies, policies)
  const model = connect(config.model ?? defaultModel, context)
  const protocol = openProtocol(config)
  if (!model.ok) return model
  if (!protocol.ok) return protocol
  return {
    ok: true,
    value: {
      config,
      model: model.value.client,
      codec: protocol.value.part.open(offer(opened.value, bound).offered, protocol.value.placement),
      tools: opened.value,
      policies: bound,
      instructions: config.instructions,
      modelTimeoutSeconds: model.value.timeoutSeconds,
    },
  }
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function openTools({ tools: entries }: AgentConfig): Promise<Result<BoundTool[]>> {
  const byUse = new Map(toolkits.map((each) => [each.id, each]))
  const opened: BoundTool[] = []
  for (const [index, entry] of entries.entries()) {
    const toolkit = byUse.get(entry.use)
    if (toolkit === undefined) return failed([lacking('toolkit', entry.use, `tools/${index}/use`)])
    opened.push(...(await openEntry({ toolkit, entry, index }, { tools })))
  }
  return { ok: true, value: opened }
}

/** A model without a time limit of its own answers within this. */
const modelTimeoutSeconds = 300

function connect(
  { provider: id, ...given }: ModelSettings,
  context: ModelContext,
): Result<{ client: ModelClient; timeoutSeconds: number }> {
  const provider = parts.providers.find((each) => each.id === id)
  if (provider === undefined) return failed([lacking('provider', id, 'model/provider')])
  const settings = provider.settings.parse(given)
  const { timeoutSeconds } = settings
  return {
    ok: true,
    value: {
      client: provider.connect(settings, context),
      timeoutSeconds: typeof timeoutSeconds === 'number' ? timeoutSeconds : modelTimeoutSeconds,
    },
  }
}

function openProtocol(config: AgentConfig): Result<{ part: Protocol; placement: ResultPlacement }> {
  const format = config.protocol?.format ?? parts.protocols[0]?.id
  const part = parts.protocols.find((each) => each.id === format)
  if (part === undefined) return failed([lacking('protocol', String(format), 'protocol/format')])
  const asked = config.protocol?.resultPlacement
  const placement = part.placements.find((each) => asked === undefined || each === asked)
  if (placement === undefined) {
    const message = `Observations cannot go to "${asked}" with ${part.id}: only to ${part.placements.join(', ')}.`
    return failed([finding('placement', message, 'protocol/resultPlacement')])
  }
  return { ok: true, value: { part, placement } }
}

function lacking(what: string, name: string, path: string): Diagnostic {
  return finding('part_missing', `This program has no ${what} "${name}".`, path)
}

function finding(code: string, message: string, path?: string): Diagnostic {
  return { severity: 'error', code, message, ...(path === undefined ? {} : { path }) }
}

function failed(error: Diagnostic[]): { ok: false; error: Diagnostic[] } {
  return { ok: false, error }
}
