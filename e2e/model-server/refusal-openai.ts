/** Detects requests that OpenAI's Chat Completions API, or a stricter compatible service, would reject. */
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
  `model messages tools tool_choice parallel_tool_calls stream stream_options temperature top_p max_tokens
  max_completion_tokens reasoning_effort stop n seed user store metadata response_format presence_penalty
  frequency_penalty logit_bias logprobs top_logprobs service_tier verbosity prompt_cache_key safety_identifier`.split(
    /\s+/,
  ),
)
const messageKeys: Readonly<Record<string, ReadonlySet<string>>> = {
  system: new Set(['role', 'content', 'name']),
  developer: new Set(['role', 'content', 'name']),
  user: new Set(['role', 'content', 'name']),
  assistant: new Set(['role', 'content', 'name', 'refusal', 'tool_calls']),
  tool: new Set(['role', 'content', 'tool_call_id']),
}
const efforts = new Set(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])
const longestId = 40

/**
 * `openai` rejects reasoning of other services; `compatible` rejects an answer whose content is
 * null; `any` accepts both.
 */
export type Service = 'any' | 'openai' | 'compatible'

/** The fields in which services that send reasoning expect it back. */
const thoughtKeys = ['reasoning_content', 'reasoning', 'reasoning_details'] as const

/** Undefined if the service would accept the request. Pure. */
export function refusalOfOpenai(body: unknown, service: Service = 'any'): Refusal | undefined {
  return firstOf(inBody(body, service))
}

function* inBody(body: unknown, service: Service): Refusals {
  if (!isObject(body)) return yield refusal('', 'We could not parse the JSON body of your request.')
  yield* unknownKeys(body, keys)
  yield* notText(body, 'model', '')
  yield* inSettings(body)
  yield* inTools(body)
  yield* inMessages(body.messages, service)
}

function* inSettings(body: JsonObject): Refusals {
  yield* outOfRange(body, 'temperature', [0, 2])
  yield* outOfRange(body, 'top_p', [0, 1])
  yield* notWhole(body, 'max_tokens', 'max_completion_tokens')
  if (body.max_tokens !== undefined && body.max_completion_tokens !== undefined)
    yield refusal('max_tokens', 'set either max_tokens or max_completion_tokens, not both')
  if (body.stream !== undefined && typeof body.stream !== 'boolean')
    yield refusal('stream', 'Input should be a boolean')
  if (body.stream_options !== undefined && body.stream !== true)
    yield refusal(
      'stream_options',
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    )
  const effort = body.reasoning_effort
  if (effort !== undefined && !(typeof effort === 'string' && efforts.has(effort)))
    yield refusal('reasoning_effort', 'Invalid value')
}

function* inTools({ tools, tool_choice: choice, parallel_tool_calls: parallel }: JsonObject): Refusals {
  if (tools === undefined) {
    if (choice !== undefined)
      yield refusal('tool_choice', "'tool_choice' is only allowed when 'tools' are specified.")
    if (parallel !== undefined)
      yield refusal(
        'parallel_tool_calls',
        "'parallel_tool_calls' is only allowed when 'tools' are specified.",
      )
    return
  }
  if (!Array.isArray(tools) || tools.length === 0)
    return yield refusal('tools', "Invalid 'tools': empty array. Expected an array with minimum length 1.")
  for (const [at, tool] of tools.entries()) yield* inTool(tool, `tools[${at}]`)
  const names = tools.map(nameOf)
  yield* repeated(names, 'tools', 'Function names must be unique')
  if (choice === undefined || ['none', 'auto', 'required'].includes(String(choice))) return
  if (!isObject(choice) || choice.type !== 'function' || !names.includes(nameOf(choice)))
    yield refusal('tool_choice', 'Invalid value: names no tool')
}

function nameOf(tool: JsonValue): JsonValue | undefined {
  return isObject(tool) && isObject(tool.function) ? tool.function.name : undefined
}

function* inTool(tool: JsonValue, at: string): Refusals {
  if (!isObject(tool)) return yield refusal(at, 'Input should be an object')
  yield* unknownKeys(tool, new Set(['type', 'function']), at)
  if (tool.type !== 'function') yield refusal(`${at}.type`, "Invalid value, supported: 'function'")
  const { function: made } = tool
  if (!isObject(made)) return yield refusal(`${at}.function`, 'Missing required parameter')
  yield* unknownKeys(made, new Set(['name', 'description', 'parameters', 'strict']), `${at}.function`)
  yield* wrongName(made.name, `${at}.function.name`)
  if (made.description !== undefined && typeof made.description !== 'string')
    yield refusal(`${at}.function.description`, 'Input should be a valid string')
  if (made.parameters !== undefined) yield* wrongSchema(made.parameters, `${at}.function.parameters`)
  if (isObject(made.parameters) && made.parameters.properties === undefined)
    yield refusal(`${at}.function.parameters`, 'In context=(), object schema missing properties.')
}

function* inMessages(messages: JsonValue | undefined, service: Service): Refusals {
  if (!Array.isArray(messages) || messages.length === 0)
    return yield refusal('messages', "Invalid 'messages': empty array. Expected at least one message.")
  const ids = new Set<string>()
  let due: string[] = []
  let spoken = 0
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`
    if (!isObject(message)) return yield refusal(at, 'Input should be an object')
    yield* inMessage(message, at, service)
    if (message.role === 'system' || message.role === 'developer') {
      if (index > 0) yield refusal(`${at}.role`, 'the one system message must be the first message')
      continue
    }
    spoken += 1
    if (spoken === 1 && message.role === 'assistant')
      yield refusal(`${at}.role`, 'the first message after the system message must be a user message')
    if (message.role === 'tool') {
      const id = String(message.tool_call_id)
      if (!due.includes(id))
        yield refusal(
          `${at}.role`,
          `messages with role 'tool' must be a response to a preceding message with 'tool_calls' (${id})`,
        )
      due = due.filter((each) => each !== id)
      continue
    }
    yield* unanswered(due)
    due = callIds(message)
    for (const id of due) {
      if (ids.has(id)) yield refusal(`${at}.tool_calls`, `Duplicate value for 'tool_call_id' of '${id}'`)
      ids.add(id)
    }
  }
  yield* unanswered(due)
  if (spoken === 0) yield refusal('messages', 'there must be a user message')
}

function* unanswered(due: readonly string[]): Refusals {
  if (due.length > 0)
    yield refusal(
      'messages',
      `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${due.join(', ')}`,
    )
}

function callIds({ tool_calls: calls }: JsonObject): string[] {
  return Array.isArray(calls) ? calls.map((each) => (isObject(each) ? String(each.id) : '')) : []
}

function* inMessage(message: JsonObject, at: string, service: Service): Refusals {
  const known = typeof message.role === 'string' ? messageKeys[message.role] : undefined
  if (known === undefined)
    return yield refusal(`${at}.role`, `Invalid value: ${JSON.stringify(message.role ?? null)}`)
  const thoughts = message.role === 'assistant' && service !== 'openai' ? thoughtKeys : []
  yield* unknownKeys(message, new Set([...known, ...thoughts]), at)
  if (message.role === 'tool') yield* notText(message, 'tool_call_id', `${at}.`)
  if (message.role === 'assistant') yield* inAnswer(message, at, service)
  else yield* inContent(message.content, `${at}.content`, message.role === 'user')
}

function* inAnswer(message: JsonObject, at: string, service: Service): Refusals {
  const { content, tool_calls: calls, reasoning_content: reasoning } = message
  if (reasoning !== undefined && typeof reasoning !== 'string')
    yield refusal(`${at}.reasoning_content`, 'Input should be a valid string')
  if (calls === undefined) return yield* inContent(content, `${at}.content`)
  const isLess = content === undefined || content === '' || (content === null && service !== 'compatible')
  if (!isLess) yield* inContent(content, `${at}.content`)
  if (!Array.isArray(calls) || calls.length === 0)
    return yield refusal(`${at}.tool_calls`, '[] is too short: expected an array with minimum length 1')
  for (const [index, call] of calls.entries()) yield* inCall(call, `${at}.tool_calls[${index}]`)
}

function* inContent(content: JsonValue | undefined, at: string, isUser = false): Refusals {
  if (content === '') return yield refusal(at, 'content must be non-empty')
  if (typeof content === 'string') return
  if (!Array.isArray(content) || content.length === 0)
    return yield refusal(
      at,
      `Invalid type: expected a string, but got ${content === null ? 'null' : typeof content} instead`,
    )
  for (const [index, block] of content.entries()) {
    if (!isObject(block) || typeof block.type !== 'string')
      yield refusal(`${at}[${index}]`, 'Invalid content part')
    else if (block.type === 'text' && (typeof block.text !== 'string' || block.text === ''))
      yield refusal(`${at}[${index}].text`, 'text must be a non-empty string')
    else if (block.type === 'image_url') {
      const place = `${at}[${index}].image_url`
      if (!isUser)
        yield refusal(`${at}[${index}].type`, 'Invalid value: image_url. Only a user message has pictures')
      if (!isObject(block.image_url)) return yield refusal(place, 'Invalid type: expected an object')
      yield* unknownKeys(block, new Set(['type', 'image_url']), `${at}[${index}]`)
      yield* unknownKeys(block.image_url, new Set(['url', 'detail']), place)
      yield* wrongPictureUrl(block.image_url.url, `${place}.url`)
    }
  }
}

function* inCall(call: JsonValue, at: string): Refusals {
  if (!isObject(call)) return yield refusal(at, 'Input should be an object')
  yield* unknownKeys(call, new Set(['id', 'type', 'function']), at)
  yield* notText(call, 'id', `${at}.`)
  if (typeof call.id === 'string' && call.id.length > longestId)
    yield refusal(`${at}.id`, `string too long. Expected a string with maximum length ${longestId}`)
  if (call.type !== 'function') yield refusal(`${at}.type`, "Invalid value, supported: 'function'")
  const { function: made } = call
  if (!isObject(made)) return yield refusal(`${at}.function`, 'Missing required parameter')
  yield* unknownKeys(made, new Set(['name', 'arguments']), `${at}.function`)
  yield* wrongName(made.name, `${at}.function.name`)
  if (typeof made.arguments !== 'string' || !isObjectText(made.arguments))
    yield refusal(`${at}.function.arguments`, 'must be the JSON text of an object')
}

function isObjectText(text: string): boolean {
  try {
    return isObject(JSON.parse(text))
  } catch {
    return false
  }
}
