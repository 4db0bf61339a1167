/**
 * The protocol that uses the provider's own function calls: messages are sent as they are,
 * with tool names replaced.
 */
import type { Message, Part } from '#lib/spec/message'
import type { ToolChoice, WireTool } from '#lib/spec/model'
import type { Codec, Decoder, Listener, Protocol } from '#lib/spec/protocol'
import { type WireNames, wireNames } from './names'

export const native: Protocol = {
  id: 'native',
  label: 'Native function calls',
  help: 'Tools are sent to the model in its provider’s own form, and calls come back in it.',
  placements: ['tool_message'],
  open(tools, resultPlacement): Codec {
    const names = wireNames(tools.map((each) => each.name))
    const offered = tools.map(({ name, description, parameters }) => ({
      name,
      wire: { name: names.toWire(name), description, parameters },
    }))
    const wires: readonly WireTool[] = offered.map((each) => each.wire)
    const encodeMessage = renameOnce(names)
    return {
      format: 'native',
      resultPlacement,
      offered,
      encode: ({ instructions, messages, offerTools, toolChoice, hints }) => ({
        instructions,
        messages: messages.map(encodeMessage),
        tools: offerTools ? wires : [],
        // Providers reject a tool choice when there are no tools.
        ...(toolChoice !== undefined && offerTools && wires.length > 0
          ? { toolChoice: onWire(toolChoice, names) }
          : {}),
        ...(hints !== undefined && { hints }),
      }),
      decoder: (listener) => decoder(names, listener),
      over: (others) => native.open(others, resultPlacement),
    }
  },
}

/** The same message gives the same object in every step, so that later stages can cache by identity too. */
function renameOnce(names: WireNames): (message: Message) => Message {
  const known = new WeakMap<Message, Message>()
  return (message) => {
    let encoded = known.get(message)
    if (encoded === undefined) {
      encoded = rename(message, names)
      known.set(message, encoded)
    }
    return encoded
  }
}

function onWire(choice: ToolChoice, names: WireNames): ToolChoice {
  return typeof choice === 'string' ? choice : { tool: names.toWire(choice.tool) }
}

function rename(message: Message, names: WireNames): Message {
  switch (message.role) {
    case 'user':
      return message
    case 'tool':
      return { ...message, name: names.toWire(message.name) }
    case 'assistant':
      return {
        ...message,
        parts: message.parts.map(
          (part): Part => (part.type === 'call' ? { ...part, name: names.toWire(part.name) } : part),
        ),
      }
  }
  return message satisfies never
}

function decoder(names: WireNames, listener: Listener): Decoder {
  return {
    push: (chunk) =>
      listener.hear(chunk.type === 'call.start' ? { ...chunk, name: names.toName(chunk.name) } : chunk),
    end: () => {},
  }
}
