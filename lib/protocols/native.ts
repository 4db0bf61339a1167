/**
 * The protocol that uses the provider's own function calls: messages are sent as they are,
 * with tool names replaced.
 */
import type { CallPart, Message, Part } from '#lib/spec/message'
import type { ToolChoice, WireTool } from '#lib/spec/model'
import type { Codec, Decoder, Listener, Protocol } from '#lib/spec/protocol'
import { isShown } from './is-shown'
import { type WireNames, wireNames } from './names'
import { type ParameterNames, parameterNames } from './parameter-names'

/** By the tool's own name; only tools whose parameters need aliases. */
type Aliases = Map<string, ParameterNames>

export const native: Protocol = {
  id: 'native',
  label: 'Native function calls',
  help: 'Tools are sent to the model in its provider’s own form, and calls come back in it.',
  placements: ['tool_message'],
  open(tools, resultPlacement): Codec {
    const names = wireNames(tools.map((each) => each.name))
    const aliases: Aliases = new Map()
    for (const { name, parameters } of tools) {
      const own = parameterNames(parameters)
      if (own !== undefined) aliases.set(name, own)
    }
    const offered = tools.filter(isShown).map(({ name, description, parameters }) => ({
      name,
      wire: { name: names.toWire(name), description, parameters: aliases.get(name)?.schema ?? parameters },
    }))
    const wires: readonly WireTool[] = offered.map((each) => each.wire)
    const encodeMessage = renameOnce(names, aliases)
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
      over: (others) => native.open(others, resultPlacement),
      decoder: (listener) => decoder(names, aliases, listener),
    }
  },
}

/** The same message gives the same object in every step, so that later stages can cache by identity too. */
function renameOnce(names: WireNames, aliases: Aliases): (message: Message) => Message {
  const known = new WeakMap<Message, Message>()
  return (message) => {
    let encoded = known.get(message)
    if (encoded === undefined) {
      encoded = rename(message, names, aliases)
      known.set(message, encoded)
    }
    return encoded
  }
}

function onWire(choice: ToolChoice, names: WireNames): ToolChoice {
  return typeof choice === 'string' ? choice : { tool: names.toWire(choice.tool) }
}

function rename(message: Message, names: WireNames, aliases: Aliases): Message {
  switch (message.role) {
    case 'user':
      return message
    case 'tool':
      return { ...message, name: names.toWire(message.name) }
    case 'assistant':
      return {
        ...message,
        parts: message.parts.map(
          (part): Part => (part.type === 'call' ? renameCall(part, names, aliases) : part),
        ),
      }
  }
  return message satisfies never
}

function renameCall(call: CallPart, names: WireNames, aliases: Aliases): CallPart {
  const { name, args } = call
  const renamed = { ...call, name: names.toWire(name) }
  const own = aliases.get(name)
  if (own === undefined || args === undefined) return renamed
  const onWire = own.toWire(args)
  return { ...renamed, args: onWire, rawArgs: JSON.stringify(onWire) }
}

/** The arguments of a call with aliases are held back until they are complete; all others pass at once. */
function decoder(names: WireNames, aliases: Aliases, listener: Listener): Decoder {
  const held = new Map<number, { readonly own: ParameterNames; raw: string }>()
  const release = (index: number) => {
    const call = held.get(index)
    held.delete(index)
    if (call !== undefined && call.raw !== '')
      listener.hear({ type: 'call.args', index, text: call.own.toOwn(call.raw) })
  }
  return {
    push: (chunk) => {
      if (chunk.type === 'call.start') {
        const name = names.toName(chunk.name)
        const own = aliases.get(name)
        if (own !== undefined) held.set(chunk.index, { own, raw: '' })
        listener.hear({ ...chunk, name })
        return
      }
      const call = chunk.type === 'call.args' ? held.get(chunk.index) : undefined
      if (chunk.type === 'call.args' && call !== undefined) {
        call.raw += chunk.text
        return
      }
      if (chunk.type === 'call.end') release(chunk.index)
      // A stream may finish without ending its calls.
      if (chunk.type === 'finish' || chunk.type === 'fault')
        for (const index of [...held.keys()]) release(index)
      listener.hear(chunk)
    },
    end: () => {
      for (const index of [...held.keys()]) release(index)
    },
  }
}
