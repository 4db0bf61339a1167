/** Detects requests that OpenAI's Responses API would reject. */
import type { JsonObject, JsonValue } from '#lib/spec/json'
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
import { wrongPictureUrl } from './refusal-picture'

const keys = new Set(
  `model instructions input tools tool_choice parallel_tool_calls stream temperature top_p max_output_tokens
  reasoning store include metadata text truncation user safety_identifier service_tier
  prompt_cache_key`.split(/\s+/),
)
const efforts = new Set(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])
const summaries = new Set(['auto', 'concise', 'detailed'])
/** Models without reasoning to encrypt. */
const plain = /^gpt-[34]/

/**
 * Undefined if the service would accept the request. Pure.
 * @param sent by call id, the items before the call in the answer that it came with
 */
export function refusalOfResponses(
  body: unknown,
  sent: ReadonlyMap<string, readonly JsonObject[]> = new Map(),
): Refusal | undefined {
  return firstOf(inBody(body, sent))
}

function* inBody(body: unknown, sent: ReadonlyMap<string, readonly JsonObject[]>): Refusals {
  if (!isObject(body)) return yield refusal('', 'We could not parse the JSON body of your request.')
  yield* unknownKeys(body, keys)
  yield* notText(body, 'model', '')
  if (body.instructions !== undefined) yield* notText(body, 'instructions', '')
  yield* inSettings(body)
  yield* inTools(body)
  yield* inInput(body, sent)
}

function* inSettings(body: JsonObject): Refusals {
  yield* outOfRange(body, 'temperature', [0, 2])
  yield* outOfRange(body, 'top_p', [0, 1])
  yield* notWhole(body, 'max_output_tokens')
  if (body.stream !== undefined && typeof body.stream !== 'boolean')
    yield refusal('stream', 'Input should be a boolean')
  const { include = [], reasoning, model } = body
  if (!Array.isArray(include)) return yield refusal('include', 'Input should be a list')
  for (const each of include) {
    if (each !== 'reasoning.encrypted_content') yield refusal('include', `Invalid value: '${String(each)}'`)
    else if (plain.test(String(model)))
      yield refusal('include', 'Encrypted content is not supported with this model.')
  }
  if (reasoning === undefined) return
  if (!isObject(reasoning)) return yield refusal('reasoning', 'Input should be an object')
  yield* unknownKeys(reasoning, new Set(['effort', 'summary']), 'reasoning')
  const { effort, summary } = reasoning
  if (effort !== undefined && !efforts.has(String(effort))) yield refusal('reasoning.effort', 'Invalid value')
  if (summary !== undefined && !summaries.has(String(summary)))
    yield refusal('reasoning.summary', 'Invalid value')
}

function* inTools({ tools, tool_choice: choice }: JsonObject): Refusals {
  if (tools === undefined) {
    if (choice !== undefined && choice !== 'none' && choice !== 'auto')
      yield refusal('tool_choice', "'tool_choice' is only allowed when 'tools' are specified.")
    return
  }
  if (!Array.isArray(tools)) return yield refusal('tools', 'Input should be a list')
  for (const [at, tool] of tools.entries()) yield* inTool(tool, `tools[${at}]`)
  const names = tools.map((each) => (isObject(each) ? each.name : undefined))
  yield* repeated(names, 'tools', 'Function names must be unique')
  if (choice === undefined || ['none', 'auto', 'required'].includes(String(choice))) return
  if (!isObject(choice) || choice.type !== 'function' || !names.includes(choice.name))
    yield refusal('tool_choice', 'Invalid value: names no tool')
}

function* inTool(tool: JsonValue, at: string): Refusals {
  if (!isObject(tool)) return yield refusal(at, 'Input should be an object')
  yield* unknownKeys(tool, new Set(['type', 'name', 'description', 'parameters', 'strict']), at)
  if (tool.type !== 'function') yield refusal(`${at}.type`, "Invalid value, supported: 'function'")
  yield* wrongName(tool.name, `${at}.name`)
  if (tool.description !== undefined && typeof tool.description !== 'string')
    yield refusal(`${at}.description`, 'Input should be a valid string')
  // The API is strict by default, which rejects nearly every schema that was not made for it.
  if (tool.strict !== false) yield refusal(`${at}.strict`, "'additionalProperties' is required to be false")
  yield* wrongSchema(tool.parameters, `${at}.parameters`)
  if (isObject(tool.parameters) && tool.parameters.properties === undefined)
    yield refusal(`${at}.parameters`, 'In context=(), object schema missing properties.')
}

function* inInput({ input, model }: JsonObject, sent: ReadonlyMap<string, readonly JsonObject[]>): Refusals {
  if (!Array.isArray(input) || input.length === 0)
    return yield refusal('input', "Invalid 'input': empty array. Expected at least one item.")
  const open = new Set<string>()
  const called = new Set<string>()
  for (const [index, item] of input.entries()) {
    const at = `input[${index}]`
    if (!isObject(item)) return yield refusal(at, 'Input should be an object')
    yield* inItem(item, at)
    if (item.type === 'function_call') {
      const id = String(item.call_id)
      if (called.has(id)) yield refusal(`${at}.call_id`, `Duplicate value for 'call_id' of '${id}'`)
      called.add(id)
      open.add(id)
      for (const due of sent.get(id) ?? [])
        if (!input.slice(0, index).some((each) => JSON.stringify(each) === JSON.stringify(due)))
          yield refusal(at, `function_call was provided without its required item '${String(due.id)}'`)
    }
    if (item.type === 'function_call_output') {
      const id = String(item.call_id)
      if (!open.delete(id))
        yield refusal(`${at}.call_id`, `No tool call found for function call output with call_id ${id}.`)
    }
    if (item.type === 'reasoning') {
      if (plain.test(String(model)))
        yield refusal(at, 'Reasoning input items can only be provided to a reasoning model.')
      const next = input[index + 1]
      if (!isObject(next) || next.role === 'user' || next.type === 'function_call_output')
        yield refusal(
          at,
          `Item '${String(item.id)}' of type 'reasoning' was provided without its required following item.`,
        )
    }
  }
  for (const id of open) yield refusal('input', `No tool output found for function call ${id}.`)
}

function* inItem(item: JsonObject, at: string): Refusals {
  switch (item.type) {
    case undefined:
    case 'message':
      yield* unknownKeys(item, new Set(['type', 'role', 'content', 'phase', 'status', 'id']), at)
      if (!['user', 'assistant', 'system', 'developer'].includes(String(item.role)))
        yield refusal(`${at}.role`, 'Invalid value')
      return yield* notSaid(item, 'content', `${at}.`)
    case 'function_call':
      yield* unknownKeys(item, new Set(['type', 'call_id', 'name', 'arguments', 'id', 'status']), at)
      yield* longId(item, at)
      yield* wrongName(item.name, `${at}.name`)
      if (typeof item.arguments !== 'string' || !isObjectText(item.arguments))
        yield refusal(`${at}.arguments`, 'must be the JSON text of an object')
      return
    case 'function_call_output':
      yield* unknownKeys(item, new Set(['type', 'call_id', 'output', 'id', 'status']), at)
      yield* longId(item, at)
      return yield* notSaid(item, 'output', `${at}.`)
    case 'reasoning':
      // The service stores nothing, so it knows reasoning only by its encrypted content.
      if (typeof item.encrypted_content !== 'string' && !Array.isArray(item.content))
        yield refusal(
          at,
          `Item with id '${String(item.id)}' not found. Items are not persisted when store is false.`,
        )
      return
    default:
      // Kinds that only the service makes are known by this mark.
      if (typeof item.ball_id !== 'string')
        yield refusal(`${at}.type`, `Invalid value: '${String(item.type)}'`)
  }
}

/** A text, or a list of texts that may each end with a breakpoint of the cache, and of pictures. */
function* notSaid(item: JsonObject, key: 'content' | 'output', at: string): Refusals {
  const said = item[key]
  if (!Array.isArray(said) || said.length === 0) return yield* notText(item, key, at)
  for (const [index, part] of said.entries()) {
    const place = `${at}${key}[${index}]`
    if (isObject(part) && part.type === 'input_image' && key === 'content' && item.role === 'user') {
      yield* unknownKeys(part, new Set(['type', 'detail', 'image_url']), place)
      yield* wrongPictureUrl(part.image_url, `${place}.image_url`)
      continue
    }
    if (!isObject(part) || part.type !== 'input_text') return yield refusal(`${place}.type`, 'Invalid value')
    yield* unknownKeys(part, new Set(['type', 'text', 'prompt_cache_breakpoint']), place)
    yield* notText(part, 'text', `${place}.`)
  }
}

function* longId(item: JsonObject, at: string): Refusals {
  yield* notText(item, 'call_id', `${at}.`)
  if (typeof item.call_id === 'string' && item.call_id.length > 64)
    yield refusal(`${at}.call_id`, 'string too long. Expected a string with maximum length 64')
}

function isObjectText(text: string): boolean {
  try {
    return isObject(JSON.parse(text))
  } catch {
    return false
  }
}
