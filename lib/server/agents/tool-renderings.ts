/** Writes every offered tool of an agent as each format, and each service with function calls, would send it. */
import { offer } from '#lib/agent/request/offer'
import { defaultFormat, type Parts } from '#lib/spec/config'
import { AppError, type Diagnostic, type Result } from '#lib/spec/errors'
import { isObject, type JsonObject, type JsonSchema, type JsonValue, tryParseJson } from '#lib/spec/json'
import { type Message, textOf } from '#lib/spec/message'
import type { ModelContext, Provider, WireTool } from '#lib/spec/model'
import type { Protocol } from '#lib/spec/protocol'
import type { BoundTool } from '#lib/spec/toolkit'
import type { ToolRendering, ToolRenderings } from '#lib/wire/tool-renderings'
import type { Assembled } from './assemble'

interface RenderingContext extends ModelContext {
  readonly parts: Pick<Parts, 'providers' | 'protocols'>
  assemble(config: JsonObject): Promise<Result<Assembled>>
}

/** Throws `not_compiled` for a drawing with errors, or with a part that this server lacks. */
export async function renderTools(
  context: RenderingContext,
  { config, diagnostics }: { config: JsonObject | null; diagnostics: readonly Diagnostic[] },
): Promise<ToolRenderings> {
  const assembled = config === null ? undefined : await context.assemble(config)
  if (assembled === undefined || !assembled.ok)
    throw new AppError('not_compiled', 'The agent has errors in its drawing. Fix them first.', {
      diagnostics: assembled === undefined ? diagnostics : assembled.error,
    })
  const { tools, policies, config: read } = assembled.value
  const offered = offer(tools, policies).offered.filter(({ hidden }) => !hidden)
  const services = nativeForms(context, offered)
  const formats = context.parts.protocols.filter(({ id }) => id !== defaultFormat)
  return {
    items: offered.map((tool, index) => ({
      name: tool.name,
      scopeName: tool.scopeName,
      entry: tool.node,
      renderings: [
        ...services.flatMap(({ provider, tools: written }): ToolRendering[] => {
          const text = JSON.stringify(written[index], null, 2)
          return [{ format: defaultFormat, provider: provider.id, label: provider.label, text }]
        }),
        ...formats.map((format) => textForm(format, tool, read.protocol?.locale)),
      ],
    })),
  }
}

/** The list of tools in a request of each provider with a form of its own; providers that share one appear once. */
function nativeForms({ parts, ...context }: RenderingContext, tools: readonly BoundTool[]) {
  const native = parts.protocols.find(({ id }) => id === defaultFormat)
  const wires = native?.open(tools, 'tool_message').offered.map(({ wire }) => wire) ?? []
  const seen = new Set<string>()
  return parts.providers.flatMap((provider) => {
    const written = wires.length === 0 ? [] : writtenBy(provider, wires, context)
    const key = JSON.stringify(written)
    if (written === undefined || seen.has(key)) return []
    seen.add(key)
    return [{ provider, tools: written }]
  })
}

/** Undefined for a model inside this program, which gets no such list. */
function writtenBy(
  provider: Provider,
  wires: readonly WireTool[],
  context: ModelContext,
): readonly JsonValue[] | undefined {
  if (provider.service === undefined) return undefined
  const settings = provider.settings.safeParse({})
  if (!settings.success) return undefined
  const messages: Message[] = [{ role: 'user', text: '' }]
  const body = provider
    .connect(settings.data, context)
    .encode({ instructions: '', messages, tools: wires, step: 1, attempt: 1 })
  const request = tryParseJson(body)
  return isObject(request) && Array.isArray(request.tools) ? request.tools.map(withoutMark) : undefined
}

/** A mark for the service's cache is no part of what the model reads. */
function withoutMark(tool: JsonValue): JsonValue {
  if (!isObject(tool)) return tool
  const { cache_control: _mark, ...read } = tool
  return read
}

function textForm(protocol: Protocol, tool: BoundTool, locale: 'en' | 'zh' | undefined): ToolRendering {
  const { id: format, label, placements } = protocol
  const [placement = 'user_message'] = placements
  const args = sampleOf(tool.parameters)
  const call = { type: 'call' as const, id: 'call_1', name: tool.name, args, rawArgs: JSON.stringify(args) }
  const [answer] = protocol
    .open([tool], placement, locale)
    .encode({ instructions: '', messages: [{ role: 'assistant', parts: [call] }], offerTools: true }).messages
  return {
    format,
    label,
    text: protocol.describe?.(tool, locale) ?? '',
    call: answer?.role === 'assistant' ? textOf(answer.parts) : '',
  }
}

/** Arguments that show the form of a call: every required one, or the first one if none is. */
function sampleOf({ properties = {}, required = [] }: JsonSchema): JsonObject {
  const keys = required.length > 0 ? required : Object.keys(properties).slice(0, 1)
  return Object.fromEntries(keys.map((key) => [key, sampleValue(properties[key] ?? {})]))
}

function sampleValue({ enum: values, default: fallback, type }: JsonSchema): JsonValue {
  const known = fallback ?? values?.[0]
  if (known !== undefined) return known
  switch (typeof type === 'string' ? type : type?.[0]) {
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    case 'array':
      return []
    case 'object':
      return {}
    default:
      // A text, or anything.
      return '…'
  }
}
