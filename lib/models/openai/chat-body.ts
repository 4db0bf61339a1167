/**
 * Writes the body of a Chat Completions request: deterministic, and encoding only
 * messages and tools that are new.
 */
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import { callsOf, type Message, type Part, textOf } from '#lib/spec/message'
import type { ModelRequest, ToolChoice, WireTool } from '#lib/spec/model'
import { argumentsText, resultText, wireIds, wireName, withProperties } from '../wire/calls'
import { answerBefore, dialogueWriter, withCommas } from '../wire/dialogue'
import { dataUrl } from '../wire/pictures'
import { writeListOnce, writeOnce, writeResultsOnce } from '../wire/remembered'
import { breakpointsIn, withBreakpoint, withMarks } from './cache-breakpoints'
import { cacheKeyIn } from './cache-key'

type Answer = Extract<Message, { role: 'assistant' }>

export interface ChatDialect {
  /** The part before the messages: the model and its settings. */
  readonly head: JsonObject
  /** The content of an answer that has only calls; some services reject null. */
  readonly noText: null | ''
  /** The endpoint to which its own reasoning is sent back; absent if it is not. */
  readonly replaysTo?: string | undefined
}

/** Requests one JSON object. The API requires the word JSON in the messages; it is in the instructions. */
export const jsonFormat = ',"response_format":{"type":"json_object"}'

/** Pure: the same request gives the same bytes, from any encoder of the same dialect. */
export function chatEncoder(dialect: ChatDialect): (request: ModelRequest) => string {
  const head = JSON.stringify(dialect.head).slice(0, -1)
  const dialogueOf = dialogueWriter(messageEncoder(dialect))
  const toolsOf = writeListOnce(toolText)
  return ({ instructions, messages, tools: offered, toolChoice, json, cacheKey, hints }) => {
    const system = instructions === '' ? [] : [JSON.stringify({ role: 'system', content: instructions })]
    const dialogue = dialogueOf(messages)
    const listed = toolsOf(offered)
    const key = cacheKeyIn(dialect.head, cacheKey, [...system, ...dialogue.texts, ...listed.texts])
    const places = breakpointsIn(dialect.head, { key, messages, hints })
    const told = withMarks(dialogue, places, (text) => withBreakpoint(text, 'content', 'text'))
    const said = withCommas([...system, told])
    const before = `${head}${json ? jsonFormat : ''}${key}`
    if (offered.length === 0) return `${before},"messages":[${said}]}`
    const choice = toolChoice === undefined ? '' : `,"tool_choice":${JSON.stringify(choiceOf(toolChoice))}`
    return `${before},"messages":[${said}],"tools":[${listed.joined}]${choice}}`
  }
}

function toolText({ name, description, parameters }: WireTool): string {
  const made = { name, description, parameters: withProperties(parameters) }
  return JSON.stringify({ type: 'function', function: made })
}

function choiceOf(choice: ToolChoice): JsonValue {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.tool } }
}

function messageEncoder(dialect: ChatDialect): (messages: readonly Message[], from: number) => string[] {
  const users = new WeakMap<Message, string>()
  const answers = { first: new WeakMap<Message, string>(), later: new WeakMap<Message, string>() }
  const resultOf = writeResultsOnce((message, id) =>
    JSON.stringify({ role: 'tool', tool_call_id: id, content: resultText(message.text) }),
  )
  return (messages, from) => {
    const before = answerBefore(messages, from)
    let ids = before === undefined ? new Map<string, string>() : wireIds(before)
    return messages.slice(from).map((message, index) => {
      switch (message.role) {
        case 'user':
          return writeOnce(users, message, () =>
            JSON.stringify({ role: 'user', content: contentOf(message) }),
          )
        case 'tool':
          return resultOf(message, ids.get(message.callId) ?? message.callId)
        case 'assistant': {
          const follows = messages[from + index - 1]?.role === 'tool'
          ids = wireIds(message)
          const known = follows ? answers.later : answers.first
          return writeOnce(known, message, () => JSON.stringify(answerOf(message, { dialect, follows, ids })))
        }
      }
      return message satisfies never
    })
  }
}

/** The text comes last, since a mark for the cache is put on a text. */
function contentOf({ text, pictures }: Extract<Message, { role: 'user' }>): JsonValue {
  if (pictures === undefined) return text
  const shown = pictures.map((each) => ({ type: 'image_url', image_url: { url: dataUrl(each) } }))
  return [...shown, { type: 'text', text }]
}

interface Told {
  readonly dialect: ChatDialect
  /** The answer follows the results of calls. */
  readonly follows: boolean
  readonly ids: ReadonlyMap<string, string>
}

function answerOf(message: Answer, { dialect, follows, ids }: Told): JsonObject {
  const calls = callsOf(message.parts)
  const text = textOf(message.parts)
  const marks = marksOf(message.parts, dialect.replaysTo)
  // Reasoning matters only while tools are in use; elsewhere services ignore or reject it.
  const thoughts = calls.length > 0 || follows ? thoughtsOf(message.parts, marks) : {}
  if (calls.length === 0) return { role: 'assistant', content: text, ...thoughts }
  const extras = Array.isArray(marks.extras) ? marks.extras : []
  return {
    role: 'assistant',
    content: text === '' ? dialect.noText : text,
    ...thoughts,
    tool_calls: calls.map((call, index) => ({
      id: ids.get(call.id) ?? call.id,
      type: 'function',
      function: { name: wireName(call.name), arguments: argumentsText(call) },
      ...(isObject(extras[index]) ? { extra_content: extras[index] } : {}),
    })),
  }
}

/** The data that this endpoint itself attached to the answer. */
function marksOf(parts: readonly Part[], endpoint: string | undefined): JsonObject {
  if (endpoint === undefined) return {}
  for (const part of parts) {
    if (part.type !== 'opaque' || part.provider !== 'openai-compatible') continue
    if (isObject(part.data) && part.data.endpoint === endpoint) return part.data
  }
  return {}
}

function thoughtsOf(parts: readonly Part[], { field, details }: JsonObject): JsonObject {
  if (Array.isArray(details)) return { reasoning_details: details }
  if (typeof field !== 'string') return {}
  let thought = ''
  for (const part of parts) if (part.type === 'reasoning') thought += part.text
  return { [field]: thought }
}
