/**
 * Writes the body of a Messages request: alternating turns, results before text, with
 * each block encoded once.
 */
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import { callsOf, type Message, type Part } from '#lib/spec/message'
import type { ModelRequest, ToolChoice, WireTool } from '#lib/spec/model'
import type { Picture } from '#lib/spec/picture'
import { argumentsText, resultText, wireIds, wireName } from '../wire/calls'
import { textIn } from '../wire/json'
import { markAt, marksOf, noMarks, type WrittenTurn } from './cache-marks'

type Answer = Extract<Message, { role: 'assistant' }>

/**
 * Pure: the same request gives the same bytes, from any encoder with the same head.
 * @param head the part before the messages: the model and its settings
 * @param minimum the fewest tokens that the model caches
 */
export function messagesEncoder(head: JsonObject, minimum: number): (request: ModelRequest) => string {
  const before = JSON.stringify(head).slice(0, -1)
  const mayForce = head.thinking === undefined
  const turnsOf = turnEncoder()
  const tools = new WeakMap<WireTool, string>()
  const toolOf = (wire: WireTool): string => {
    let text = tools.get(wire)
    if (text === undefined) {
      text = toolText(wire)
      tools.set(wire, text)
    }
    return text
  }
  return ({ instructions, messages, tools: offered, toolChoice, cacheKey, hints = 0 }) => {
    const system = instructions.trim() === '' ? '' : instructions
    const turns = turnsOf(messages)
    const called = offered.length > 0 ? [] : calledNames(messages)
    const texts = offered.length > 0 ? offered.map(toolOf) : called.map(knownTool)
    // A person may have asked for caching in a way of their own, which would take one of the marks.
    const isMarked = cacheKey !== undefined && head.cache_control === undefined
    const marks = isMarked ? marksOf({ tools: texts, system, turns, hints, minimum }) : noMarks
    const listed = markAt(texts, marks.tools ? texts.length - 1 : undefined)
    const said = turns.map((turn) => turnText(turn, marks.turns.get(turn))).join(',')
    // The API rejects a dialogue with calls if their tools are missing, so tools that are no longer offered
    // are listed but must not be called.
    const choice = offered.length > 0 ? toolChoice : 'none'
    const told = choice === undefined ? '' : `,"tool_choice":${JSON.stringify(choiceOf(choice, mayForce))}`
    const offer = texts.length === 0 ? '' : `,"tools":[${listed.join(',')}]${told}`
    return `${before}${systemText(system, marks.system)}${offer},"messages":[${said}]}`
  }
}

function systemText(system: string, isMarked: boolean): string {
  if (system === '') return ''
  return `,"system":${isMarked ? `[${markAt([textBlock(system)], 0).join()}]` : JSON.stringify(system)}`
}

function toolText({ name, description, parameters }: WireTool): string {
  return JSON.stringify({
    name,
    ...(description === '' ? {} : { description }),
    input_schema: { ...parameters, type: 'object' },
  })
}

function knownTool(name: string): string {
  return JSON.stringify({ name, input_schema: { type: 'object' } })
}

function calledNames(messages: readonly Message[]): string[] {
  const names = new Set<string>()
  for (const message of messages)
    if (message.role === 'assistant')
      for (const call of callsOf(message.parts)) names.add(wireName(call.name))
  return [...names]
}

/** @param mayForce false if the model thinks: the API then rejects every choice that forces a call */
function choiceOf(choice: ToolChoice, mayForce: boolean): JsonValue {
  if (choice === 'auto' || choice === 'none') return { type: choice }
  if (!mayForce) return { type: 'auto' }
  return choice === 'required' ? { type: 'any' } : { type: 'tool', name: choice.tool }
}

function turnText({ role, results, blocks }: WrittenTurn, mark: number | undefined): string {
  return `{"role":"${role}","content":[${markAt([...results, ...blocks], mark).join(',')}]}`
}

const goOn = textBlock('Go on.')
const opening = textBlock('(The beginning of the dialogue is left out.)')

/** The API requires alternating turns that start and end with the user's. */
function turnEncoder(): (messages: readonly Message[]) => WrittenTurn[] {
  const known = new WeakMap<Message, { readonly id: string; readonly blocks: readonly string[] }>()
  const blocksOf = (message: Message, ids: ReadonlyMap<string, string>): readonly string[] => {
    const id = message.role === 'tool' ? (ids.get(message.callId) ?? message.callId) : ''
    const found = known.get(message)
    if (found?.id === id) return found.blocks
    const blocks = writeMessage(message, id, ids)
    known.set(message, { id, blocks })
    return blocks
  }
  return (messages) => {
    const turns: WrittenTurn[] = []
    let ids = new Map<string, string>()
    for (const message of messages) {
      if (message.role === 'assistant') ids = wireIds(message)
      const blocks = blocksOf(message, ids)
      if (blocks.length === 0) continue
      const turn = turnFor(turns, message.role === 'assistant' ? 'assistant' : 'user')
      const list = message.role === 'tool' ? turn.results : turn.blocks
      list.push(...blocks)
    }
    if (turns[0]?.role !== 'user') turns.unshift({ role: 'user', results: [], blocks: [opening] })
    if (turns.at(-1)?.role === 'assistant')
      turns.push({ role: 'user', results: [], blocks: [goOn], isHint: true })
    return turns
  }
}

function turnFor(turns: WrittenTurn[], role: WrittenTurn['role']): WrittenTurn {
  const last = turns.at(-1)
  if (last?.role === role) return last
  const turn: WrittenTurn = { role, results: [], blocks: [] }
  turns.push(turn)
  return turn
}

function writeMessage(message: Message, id: string, ids: ReadonlyMap<string, string>): string[] {
  switch (message.role) {
    case 'user':
      return [
        ...(message.pictures ?? []).map(pictureBlock),
        textBlock(message.text.trim() === '' ? '(no text)' : message.text),
      ]
    case 'tool': {
      const error = message.isError ? { is_error: true } : {}
      const content = resultText(message.text)
      return [JSON.stringify({ type: 'tool_result', tool_use_id: id, content, ...error })]
    }
    case 'assistant':
      return answerBlocks(message, ids)
  }
  return message satisfies never
}

function pictureBlock({ mediaType, data = '' }: Picture): string {
  return JSON.stringify({ type: 'image', source: { type: 'base64', media_type: mediaType, data } })
}

/** Thinking is sent back in its own blocks, never as the text that was shown. */
function answerBlocks({ parts }: Answer, ids: ReadonlyMap<string, string>): string[] {
  // An answer that was stopped while thinking would end with a thinking block, which the API rejects.
  const end = parts.findLastIndex((part) => !isThought(part)) + 1
  return parts.slice(0, end).flatMap((part: Part): string[] => {
    switch (part.type) {
      case 'text':
        return part.text.trim() === '' ? [] : [textBlock(part.text)]
      case 'reasoning':
        return []
      case 'opaque':
        return part.provider === 'anthropic' ? [JSON.stringify(part.data)] : []
      case 'call': {
        const head = JSON.stringify({
          type: 'tool_use',
          id: ids.get(part.id) ?? part.id,
          name: wireName(part.name),
        })
        return [`${head.slice(0, -1)},"input":${argumentsText(part)}}`]
      }
    }
    return part satisfies never
  })
}

function isThought(part: Part): boolean {
  if (part.type !== 'opaque') return part.type === 'reasoning'
  return isObject(part.data) && /^(redacted_)?thinking$/.test(textIn(part.data, 'type'))
}

function textBlock(text: string): string {
  return JSON.stringify({ type: 'text', text })
}
