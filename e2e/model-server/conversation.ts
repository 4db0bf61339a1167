/** Reads a request back into its conversation, so that the scripted demo can answer over a real wire. */

import type { Conversation } from '#lib/models/scripted/body'
import type { JsonObject, JsonSchema, JsonValue } from '#lib/spec/json'
import type { CallPart, Message, Part } from '#lib/spec/message'
import type { WireTool } from '#lib/spec/model'
import type { Wire } from './behaviour'
import { isObject } from './refusal'

/** The body must be one that the service accepts. */
export function conversationOf(wire: Wire, body: JsonObject): Conversation {
  const messages = {
    openai: openaiMessages,
    anthropic: anthropicMessages,
    responses: responsesMessages,
  }[wire](body)
  return {
    step: messages.filter((each) => each.role === 'assistant').length + 1,
    instructions: {
      openai: () => openaiInstructions(body),
      anthropic: () => textIn(body.system),
      responses: () => textIn(body.instructions),
    }[wire](),
    messages,
    tools: objects(body.tools).map((each) => toolOf(wire, each)),
  }
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function textIn(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content
  return objects(content)
    .map((each) => (typeof each.text === 'string' ? each.text : ''))
    .join('')
}

function toolOf(wire: Wire, tool: JsonObject): WireTool {
  const made = wire === 'openai' && isObject(tool.function) ? tool.function : tool
  const schema = wire === 'anthropic' ? made.input_schema : made.parameters
  return {
    name: String(made.name),
    description: String(made.description ?? ''),
    parameters: isObject(schema) ? (schema as JsonSchema) : {}, // cast: any JSON object is a JSON Schema to read with care
  }
}

function openaiInstructions({ messages }: JsonObject): string {
  const [first] = objects(messages)
  return first?.role === 'system' || first?.role === 'developer' ? textIn(first.content) : ''
}

function openaiMessages(body: JsonObject): Message[] {
  const names = new Map<string, string>()
  return objects(body.messages).flatMap((message): Message[] => {
    switch (message.role) {
      case 'user':
        return [{ role: 'user', text: textIn(message.content) }]
      case 'assistant': {
        const calls = objects(message.tool_calls).map(({ id, function: made }) =>
          callOf(String(id), isObject(made) ? made.name : '', isObject(made) ? String(made.arguments) : '{}'),
        )
        for (const call of calls) names.set(call.id, call.name)
        return [{ role: 'assistant', parts: [...textParts(message.content), ...calls] }]
      }
      case 'tool':
        return [resultOf(String(message.tool_call_id), names, textIn(message.content))]
      default:
        // Instructions are read apart.
        return []
    }
  })
}

function anthropicMessages(body: JsonObject): Message[] {
  const names = new Map<string, string>()
  return objects(body.messages).flatMap(({ role, content }): Message[] => {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content)
    if (role === 'assistant') {
      const parts = blocks.flatMap((block): Part[] => {
        if (block.type === 'text') return textParts(block.text)
        if (block.type !== 'tool_use') return []
        names.set(String(block.id), String(block.name))
        return [callOf(String(block.id), block.name, JSON.stringify(block.input ?? {}))]
      })
      return [{ role: 'assistant', parts }]
    }
    return blocks.flatMap((block): Message[] => {
      if (block.type === 'text') return [{ role: 'user', text: String(block.text) }]
      if (block.type !== 'tool_result') return []
      const result = resultOf(String(block.tool_use_id), names, textIn(block.content))
      return [block.is_error === true ? { ...result, isError: true } : result]
    })
  })
}

/** Consecutive assistant items form one answer. */
function responsesMessages(body: JsonObject): Message[] {
  const names = new Map<string, string>()
  const messages: Message[] = []
  const say = (part: Part) => {
    const last = messages.at(-1)
    if (last?.role === 'assistant') messages[messages.length - 1] = { ...last, parts: [...last.parts, part] }
    else messages.push({ role: 'assistant', parts: [part] })
  }
  for (const item of objects(body.input)) {
    const { type, role, call_id: id, name } = item
    if (role === 'user') messages.push({ role, text: textIn(item.content) })
    else if (role === 'assistant') for (const part of textParts(item.content)) say(part)
    else if (type === 'function_call') {
      names.set(String(id), String(name))
      say(callOf(String(id), name, String(item.arguments)))
    } else if (type === 'function_call_output')
      messages.push(resultOf(String(id), names, textIn(item.output)))
  }
  return messages
}

function textParts(content: JsonValue | undefined): Part[] {
  const text = textIn(content)
  return text === '' ? [] : [{ type: 'text', text }]
}

function callOf(id: string, name: JsonValue | undefined, rawArgs: string): CallPart {
  const args: unknown = JSON.parse(rawArgs)
  return { type: 'call', id, name: String(name), rawArgs, ...(isObject(args) ? { args } : {}) }
}

/** OpenAI's wire has no field for a failed call; our observations of one start with "Error". */
function resultOf(
  callId: string,
  names: ReadonlyMap<string, string>,
  text: string,
): Extract<Message, { role: 'tool' }> {
  return { role: 'tool', callId, name: names.get(callId) ?? '', text, isError: /^Error\b/.test(text) }
}
