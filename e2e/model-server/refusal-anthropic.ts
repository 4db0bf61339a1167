/** Detects requests that Anthropic's Messages API would reject. */
import { isDeepStrictEqual } from 'node:util'
import type { JsonObject, JsonValue } from '#lib/spec/json'
import { signatureOf } from './anthropic-wire'
import { anthropicPieces } from './prompt-cache'
import {
  firstOf,
  isObject,
  notText,
  notWhole,
  outOfRange,
  type Refusal,
  type Refusals,
  refusal,
  repeated,
  unknownKeys,
  wrongName,
  wrongSchema,
} from './refusal'
import { wrongPicture } from './refusal-picture'

const keys = new Set(
  `model messages max_tokens system tools tool_choice stream stop_sequences metadata thinking
  service_tier output_config cache_control`.split(/\s+/),
)

const sampling = ['temperature', 'top_p', 'top_k']

/** What was sent before: by call id, the thinking and the special blocks that came with the call. */
export type SentBlocks = ReadonlyMap<string, readonly JsonObject[]>

/** API versions before this one accept temperature, top P and top K. */
const withoutSampling = '2026-10-21'

export interface AnthropicRules {
  readonly sent?: SentBlocks
  /** The version in the header; the newest by default. */
  readonly version?: string | undefined
}

/** Undefined if the service would accept the request. Pure. */
export function refusalOfAnthropic(body: unknown, rules: AnthropicRules = {}): Refusal | undefined {
  return firstOf(inBody(body, rules))
}

function* inBody(body: unknown, { sent = new Map(), version = withoutSampling }: AnthropicRules): Refusals {
  if (!isObject(body)) return yield refusal('', 'The request body is not valid JSON')
  yield* unknownKeys(body, version < withoutSampling ? new Set([...keys, ...sampling]) : keys)
  yield* notText(body, 'model', '')
  if (body.max_tokens === undefined) yield refusal('max_tokens', 'Field required')
  yield* notWhole(body, 'max_tokens', 'top_k')
  yield* outOfRange(body, 'temperature', [0, 1])
  yield* outOfRange(body, 'top_p', [0, 1])
  if (body.stream !== undefined && typeof body.stream !== 'boolean')
    yield refusal('stream', 'Input should be a valid boolean')
  if (body.system !== undefined) yield* inContent(body.system, 'system', new Set(['text']))
  yield* inThinking(body)
  yield* inTools(body)
  yield* inMessages(body.messages, sent)
  const marks = anthropicPieces(body).filter(({ isMarked }) => isMarked).length + (body.cache_control ? 1 : 0)
  if (marks > 4)
    yield refusal(
      'cache_control',
      `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`,
    )
}

function* inThinking({ thinking, max_tokens: most, temperature, tool_choice: choice }: JsonObject): Refusals {
  if (thinking === undefined) return
  if (!isObject(thinking)) return yield refusal('thinking', 'Input should be an object')
  if (!['enabled', 'disabled', 'adaptive', 'between_tools'].includes(String(thinking.type)))
    yield refusal('thinking.type', 'Input tag found does not match any of the expected tags')
  if (thinking.type !== 'enabled') return
  const { budget_tokens: budget } = thinking
  if (typeof budget !== 'number' || budget < 1024)
    yield refusal('thinking.enabled.budget_tokens', 'Input should be greater than or equal to 1024')
  else if (typeof most === 'number' && budget >= most)
    yield refusal('max_tokens', '`max_tokens` must be greater than `thinking.budget_tokens`')
  if (temperature !== undefined && temperature !== 1)
    yield refusal('temperature', '`temperature` may only be set to 1 when thinking is enabled')
  if (isObject(choice) && (choice.type === 'any' || choice.type === 'tool'))
    yield refusal('tool_choice', 'Thinking may not be enabled when tool_choice forces tool use.')
}

function* inTools({ tools, tool_choice: choice }: JsonObject): Refusals {
  if (tools === undefined) {
    if (choice !== undefined) yield refusal('tool_choice', 'may only be specified while providing tools')
    return
  }
  if (!Array.isArray(tools) || tools.length === 0)
    return yield refusal('tools', 'List should have at least 1 item')
  for (const [index, tool] of tools.entries()) {
    const at = `tools.${index}`
    if (!isObject(tool)) return yield refusal(at, 'Input should be an object')
    yield* unknownKeys(tool, new Set(['name', 'description', 'input_schema', 'type', 'cache_control']), at)
    yield* wrongName(tool.name, `${at}.name`)
    if (tool.description !== undefined) yield* notText(tool, 'description', `${at}.`)
    yield* wrongSchema(tool.input_schema, `${at}.input_schema`)
  }
  const names = tools.map((each) => (isObject(each) ? each.name : undefined))
  yield* repeated(names, 'tools', 'Tool names must be unique')
  if (choice === undefined) return
  if (!isObject(choice) || !['auto', 'any', 'none', 'tool'].includes(String(choice.type)))
    return yield refusal('tool_choice', 'Input tag found does not match any of the expected tags')
  if (choice.type === 'tool' && !names.includes(choice.name))
    yield refusal('tool_choice.name', `Tool '${String(choice.name)}' not found in provided tools`)
}

/** A message as the service reads it: neighbors with the same role are joined, and a text is one block. */
interface Merged {
  readonly role: string
  readonly at: string
  readonly blocks: JsonObject[]
}

function* inMessages(messages: JsonValue | undefined, sent: SentBlocks): Refusals {
  if (!Array.isArray(messages) || messages.length === 0)
    return yield refusal('messages', 'at least one message is required')
  const own = new Set([...sent.values()].flat().map((each) => JSON.stringify(each)))
  const merged: Merged[] = []
  for (const [index, message] of messages.entries()) {
    const at = `messages.${index}`
    if (!isObject(message)) return yield refusal(at, 'Input should be an object')
    yield* unknownKeys(message, new Set(['role', 'content']), at)
    if (message.role === 'system')
      yield refusal(
        'messages',
        'Unexpected role "system". The Messages API accepts a top-level `system` parameter.',
      )
    if (message.role !== 'user' && message.role !== 'assistant')
      return yield refusal(`${at}.role`, "Input should be 'user' or 'assistant'")
    yield* inContent(message.content, at, message.role === 'user' ? userBlocks : undefined)
    yield* inBlocks(blocksOf(message.content), at, own)
    const last = merged.at(-1)
    if (last?.role === message.role) last.blocks.push(...blocksOf(message.content))
    else merged.push({ role: message.role, at, blocks: [...blocksOf(message.content)] })
  }
  if (merged[0]?.role !== 'user') yield refusal('messages.0', 'first message must use the "user" role')
  if (merged.at(-1)?.role !== 'user')
    yield refusal(
      'messages',
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    )
  yield* inPairs(merged)
  yield* inToolLoop(merged, sent)
}

const userBlocks = new Set(['text', 'image', 'document', 'tool_result', 'search_result'])

function blocksOf(content: JsonValue | undefined): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isObject) : []
}

function* inContent(content: JsonValue | undefined, at: string, allowed?: ReadonlySet<string>): Refusals {
  if (content === '') return yield refusal(at, 'all messages must have non-empty content')
  if (typeof content === 'string') {
    if (content.trim() === '') yield refusal(at, 'text content blocks must contain non-whitespace text')
    return
  }
  if (!Array.isArray(content)) return yield refusal(`${at}.content`, 'Input should be a valid string or list')
  if (content.length === 0) yield refusal(at, 'all messages must have non-empty content')
  for (const [index, block] of content.entries()) {
    if (!isObject(block)) return yield refusal(`${at}.content.${index}`, 'Input should be an object')
    if (allowed !== undefined && !allowed.has(String(block.type)))
      yield refusal(`${at}.content.${index}.type`, `Input tag '${String(block.type)}' does not fit here`)
    if (block.type !== 'text') continue
    yield* unknownKeys(
      block,
      new Set(['type', 'text', 'citations', 'cache_control']),
      `${at}.content.${index}`,
    )
    if (typeof block.text !== 'string' || block.text === '')
      yield refusal(`${at}.content.${index}.text`, 'text content blocks must be non-empty')
    else if (block.text.trim() === '')
      yield refusal(`${at}.content.${index}.text`, 'text content blocks must contain non-whitespace text')
  }
}

/** @param own blocks of kinds that only the service makes, as JSON; they must come back unchanged */
function* inBlocks(blocks: readonly JsonObject[], message: string, own: ReadonlySet<string>): Refusals {
  for (const [index, block] of blocks.entries()) {
    const at = `${message}.content.${index}`
    switch (block.type) {
      case 'tool_use':
        yield* inCall(block, at)
        break
      case 'tool_result':
        yield* inResult(block, at)
        break
      case 'thinking':
        yield* unknownKeys(block, new Set(['type', 'thinking', 'signature']), at)
        if (typeof block.thinking !== 'string' || block.signature !== signatureOf(block.thinking))
          yield refusal(at, 'Invalid `signature` in `thinking` block')
        break
      case 'image':
        yield* inPicture(block, at)
        break
      case 'text':
      case 'document':
      case 'search_result':
        break
      default:
        // Kinds that only the service makes must come back as they were sent.
        if (!own.has(JSON.stringify(block)))
          yield refusal(
            `${at}.type`,
            `Input tag '${String(block.type)}' does not match any of the expected tags`,
          )
    }
  }
}

function* inPicture(block: JsonObject, at: string): Refusals {
  yield* unknownKeys(block, new Set(['type', 'source', 'cache_control']), at)
  const { source } = block
  if (!isObject(source)) return yield refusal(`${at}.source`, 'Input should be an object')
  if (source.type !== 'base64') return
  yield* unknownKeys(source, new Set(['type', 'media_type', 'data']), `${at}.source`)
  yield* wrongPicture(source.media_type, source.data, `${at}.image.source.base64`)
}

function* inCall(block: JsonObject, at: string): Refusals {
  yield* unknownKeys(block, new Set(['type', 'id', 'name', 'input', 'caller', 'cache_control']), at)
  if (typeof block.id !== 'string' || !/^[a-zA-Z0-9_-]+$/.test(block.id))
    yield refusal(`${at}.id`, "String should match pattern '^[a-zA-Z0-9_-]+$'")
  yield* wrongName(block.name, `${at}.name`)
  if (!isObject(block.input)) yield refusal(`${at}.input`, 'Input should be a valid dictionary')
}

function* inResult(block: JsonObject, at: string): Refusals {
  yield* unknownKeys(block, new Set(['type', 'tool_use_id', 'content', 'is_error', 'cache_control']), at)
  yield* notText(block, 'tool_use_id', `${at}.`)
  if (block.is_error !== undefined && typeof block.is_error !== 'boolean')
    yield refusal(`${at}.is_error`, 'Input should be a valid boolean')
  yield* inContent(block.content, at, new Set(['text', 'image']))
}

/** A call is followed directly by its one result, and results come before other blocks. */
function* inPairs(merged: readonly Merged[]): Refusals {
  const ids = new Set<JsonValue | undefined>()
  for (const [index, { role, at, blocks }] of merged.entries()) {
    const calls = blocks.filter((each) => each.type === 'tool_use').map((each) => each.id)
    for (const id of calls) {
      if (ids.has(id)) yield refusal('messages', `\`tool_use\` ids must be unique: ${String(id)}`)
      ids.add(id)
    }
    const answered = resultIds(merged[index + 1])
    const open = calls.filter((id) => !answered.includes(id))
    if (open.length > 0)
      yield refusal(
        at,
        `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}`,
      )
    if (role !== 'user') continue
    const asked = (merged[index - 1]?.blocks ?? [])
      .filter((each) => each.type === 'tool_use')
      .map((each) => each.id)
    const results = resultIds(merged[index])
    for (const id of results)
      if (!asked.includes(id))
        yield refusal(at, `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(id)}`)
    yield* repeated(
      results,
      at,
      'each tool_use must have a single result. Found multiple `tool_result` blocks with id',
    )
    const first = blocks.findIndex((each) => each.type !== 'tool_result')
    if (first >= 0 && blocks.slice(first).some((each) => each.type === 'tool_result'))
      yield refusal(at, '`tool_result` blocks must come first in the content')
  }
}

function resultIds(message: Merged | undefined): (JsonValue | undefined)[] {
  return (message?.blocks ?? []).filter((each) => each.type === 'tool_result').map((each) => each.tool_use_id)
}

/** After the user's last text, thinking must be sent back unchanged before the calls that it came with. */
function* inToolLoop(merged: readonly Merged[], sent: SentBlocks): Refusals {
  const from = merged.findLastIndex(
    ({ role, blocks }) => role === 'user' && blocks.every((each) => each.type !== 'tool_result'),
  )
  for (const { at, blocks } of merged.slice(from + 1)) {
    for (const { id } of blocks.filter((each) => each.type === 'tool_use')) {
      for (const due of sent.get(String(id)) ?? []) {
        if (!blocks.some((each) => isDeepStrictEqual(each, due)))
          yield refusal(
            `${at}.content`,
            `\`${String(due.type)}\` blocks in the latest assistant message cannot be dropped or modified`,
          )
      }
    }
  }
}
