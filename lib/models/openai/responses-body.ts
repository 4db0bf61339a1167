/** Writes the body of a Responses request: a flat list of items, with each message encoded once. */
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import type { Message, Part } from '#lib/spec/message'
import type { ModelRequest, ToolChoice, WireTool } from '#lib/spec/model'
import { argumentsText, resultText, wireIds, wireName, withProperties } from '../wire/calls'
import { answerBefore, dialogueWriter, withCommas } from '../wire/dialogue'
import { listIn, textIn } from '../wire/json'
import { dataUrl } from '../wire/pictures'
import { writeListOnce, writeOnce, writeResultsOnce } from '../wire/remembered'
import { breakpointsIn, withBreakpoint, withMarks } from './cache-breakpoints'
import { cacheKeyIn } from './cache-key'

type Answer = Extract<Message, { role: 'assistant' }>

/** The provider id of the opaque parts made here. */
export const responses = 'openai-responses'
/** The type of an opaque part that holds the phase of the text before it; it is not an item of the API. */
export const phaseMark = 'message_phase'

export interface ResponsesDialect {
  /** The part before the items: the model and its settings. */
  readonly head: JsonObject
  /** Whether the model thinks; a model that does not rejects the reasoning of another. */
  readonly thinks: boolean
}

/** Requests one JSON object. The API requires the word JSON in the items; the instructions do not count. */
export const jsonText = ',"text":{"format":{"type":"json_object"}}'
const jsonWord = JSON.stringify({ role: 'developer', content: 'Every answer is one JSON object.' })

/** Pure: the same request gives the same bytes, from any encoder of the same dialect. */
export function responsesEncoder({ head, thinks }: ResponsesDialect): (request: ModelRequest) => string {
  const before = JSON.stringify(head).slice(0, -1)
  const dialogueOf = dialogueWriter(itemsEncoder(thinks))
  const toolsOf = writeListOnce(toolText)
  return ({ instructions, messages, tools: offered, toolChoice, json, cacheKey, hints }) => {
    const told = instructions === '' ? '' : `,"instructions":${JSON.stringify(instructions)}`
    const dialogue = dialogueOf(messages)
    const listed = toolsOf(offered)
    const key = cacheKeyIn(head, cacheKey, [told, ...dialogue.texts, ...listed.texts])
    const items = withMarks(dialogue, breakpointsIn(head, { key, messages, hints }), (text, at) =>
      withBreakpoint(text, messages[at]?.role === 'tool' ? 'output' : 'content', 'input_text'),
    )
    const said = withCommas(json ? [jsonWord, items] : [items])
    const asked = `${before}${json ? jsonText : ''}${key}${told},"input":[${said}]`
    if (offered.length === 0) return `${asked}}`
    const choice = toolChoice === undefined ? '' : `,"tool_choice":${JSON.stringify(choiceOf(toolChoice))}`
    return `${asked},"tools":[${listed.joined}]${choice}}`
  }
}

function toolText({ name, description, parameters }: WireTool): string {
  // The API is strict by default, and most schemas do not fit its strict mode.
  return JSON.stringify({
    type: 'function',
    name,
    description,
    parameters: withProperties(parameters),
    strict: false,
  })
}

function choiceOf(choice: ToolChoice): JsonValue {
  return typeof choice === 'string' ? choice : { type: 'function', name: choice.tool }
}

/** The texts of the items of each message; empty for a message without items. */
function itemsEncoder(thinks: boolean): (messages: readonly Message[], from: number) => string[] {
  const users = new WeakMap<Message, string>()
  const answers = new WeakMap<Message, string>()
  const resultOf = writeResultsOnce((message, id) =>
    JSON.stringify({ type: 'function_call_output', call_id: id, output: resultText(message.text) }),
  )
  return (messages, from) => {
    const before = answerBefore(messages, from)
    let ids = before === undefined ? new Map<string, string>() : wireIds(before)
    return messages.slice(from).map((message) => {
      switch (message.role) {
        case 'user':
          return writeOnce(users, message, () =>
            JSON.stringify({ role: 'user', content: contentOf(message) }),
          )
        case 'tool':
          return resultOf(message, ids.get(message.callId) ?? message.callId)
        case 'assistant':
          ids = wireIds(message)
          return writeOnce(answers, message, () =>
            itemsOf(message, ids)
              .filter((item) => thinks || item.type !== 'reasoning')
              .map((item) => JSON.stringify(item))
              .join(','),
          )
      }
      return message satisfies never
    })
  }
}

/** The text comes last, since a mark for the cache is put on a text. */
function contentOf({ text, pictures }: Extract<Message, { role: 'user' }>): JsonValue {
  if (pictures === undefined) return text
  const shown = pictures.map((each) => ({ type: 'input_image', detail: 'auto', image_url: dataUrl(each) }))
  return [...shown, { type: 'input_text', text }]
}

/** Reasoning is sent back as the items that it came in, never as the text that was shown. */
function itemsOf({ parts }: Answer, ids: ReadonlyMap<string, string>): JsonObject[] {
  // An answer that was stopped during its reasoning would end with it, which the API rejects.
  const end = parts.findLastIndex(isSaid) + 1
  return parts.slice(0, end).flatMap((part, index): JsonObject[] => {
    switch (part.type) {
      case 'text': {
        if (part.text === '') return []
        const phase = phaseIn(parts[index + 1])
        return [{ role: 'assistant', content: part.text, ...(phase === '' ? {} : { phase }) }]
      }
      case 'reasoning':
        return []
      case 'opaque':
        return isReplayed(part) ? [part.data] : []
      case 'call':
        return [
          {
            type: 'function_call',
            call_id: ids.get(part.id) ?? part.id,
            name: wireName(part.name),
            arguments: argumentsText(part),
          },
        ]
    }
    return part satisfies never
  })
}

function isSaid(part: Part): boolean {
  if (part.type === 'text') return part.text !== ''
  return part.type === 'call' || (isReplayed(part) && part.data.type !== 'reasoning')
}

type Own = Extract<Part, { type: 'opaque' }> & { readonly data: JsonObject }

/** The service stores nothing, so it could not find reasoning that is sent back without its content. */
function isReplayed(part: Part): part is Own {
  if (part.type !== 'opaque' || part.provider !== responses || !isObject(part.data)) return false
  const { data } = part
  if (data.type === phaseMark) return false
  return (
    data.type !== 'reasoning' ||
    textIn(data, 'encrypted_content') !== '' ||
    listIn(data, 'content').length > 0
  )
}

function phaseIn(part: Part | undefined): string {
  if (part?.type !== 'opaque' || part.provider !== responses || !isObject(part.data)) return ''
  return part.data.type === phaseMark ? textIn(part.data, 'phase') : ''
}
