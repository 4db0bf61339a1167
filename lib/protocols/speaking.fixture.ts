/** Test models: how a model writes text and calls in each protocol, and what a decoder reads from it. */
import type { JsonObject } from '#lib/spec/json'
import type { InvalidCall, Part } from '#lib/spec/message'
import type { FinishReason, ModelChunk } from '#lib/spec/model'
import type { Codec, Protocol } from '#lib/spec/protocol'
import type { BoundTool } from '#lib/spec/toolkit'
import { json } from './json'
import { jsonFence } from './json-fence'
import { native } from './native'
import { xml } from './xml'

export const allProtocols: readonly Protocol[] = [native, xml, json, jsonFence]

export const boundTool = (name: string, parameters: BoundTool['parameters']): BoundTool => ({
  name,
  scopeName: name,
  node: 'tools/0',
  source: 'builtin',
  description: `Does ${name}.`,
  parameters,
  risk: 'read',
  effect: 'read',
  timeoutSeconds: 30,
  run: async () => ({ ok: true, blocks: [] }),
})

export const tools: readonly BoundTool[] = [
  boundTool('files.create', {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Where.' },
      content: { type: 'string' },
      count: { type: 'integer' },
      ratio: { type: ['number', 'null'] },
      force: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      options: { anyOf: [{ $ref: '#/$defs/options' }, { type: 'null' }] },
    },
    required: ['path'],
    $defs: { options: { type: 'object' } },
  }),
  boundTool('time.now', { type: 'object', properties: {} }),
]

export interface SaidCall {
  readonly name: string
  readonly args: JsonObject
}
export type Saying = string | SaidCall

export function partsOf(saying: readonly Saying[]): Part[] {
  return saying.map(
    (each, index): Part =>
      typeof each === 'string'
        ? { type: 'text', text: each }
        : {
            type: 'call',
            id: `call_1_${index}`,
            name: each.name,
            args: each.args,
            rawArgs: JSON.stringify(each.args),
          },
  )
}

/** The text of an answer in a text format, including text after the last call. */
export function written(codec: Codec, saying: readonly Saying[]): string {
  const last = saying.findLastIndex((each) => typeof each !== 'string')
  const [message] = codec.encode({
    instructions: '',
    messages: [{ role: 'assistant', parts: partsOf(last < 0 ? saying : saying.slice(0, last + 1)) }],
    offerTools: true,
  }).messages
  let text = ''
  if (message?.role === 'assistant')
    for (const each of message.parts) if (each.type === 'text') text += each.text
  const after = last < 0 ? '' : saying.slice(last + 1).join('')
  return after === '' || codec.format === 'json' ? text : `${text}\n${after}`
}

/** The chunks of a stream without its end. */
export function spoken(codec: Codec, saying: readonly Saying[]): ModelChunk[] {
  if (codec.format !== 'native') return [{ type: 'text', text: written(codec, saying) }]
  let count = 0
  return saying.flatMap((each): ModelChunk[] => {
    if (typeof each === 'string') return [{ type: 'text', text: each }]
    const index = count++
    return [
      { type: 'call.start', index, name: each.name },
      { type: 'call.args', index, text: JSON.stringify(each.args) },
      { type: 'call.end', index },
    ]
  })
}

/** A decoder that returns the chunks its listener receives for each piece. */
export function listing(codec: Codec) {
  let heard: ModelChunk[] = []
  const decoder = codec.decoder({ hear: (chunk) => heard.push(chunk) })
  const taken = () => {
    const chunks = heard
    heard = []
    return chunks
  }
  return {
    push(chunk: ModelChunk): readonly ModelChunk[] {
      decoder.push(chunk)
      return taken()
    },
    end(): readonly ModelChunk[] {
      decoder.end()
      return taken()
    },
    get warnings(): readonly string[] {
      return decoder.warnings ?? []
    },
  }
}

export interface Heard {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly { name: string; raw: string; isEnded: boolean; invalid?: InvalidCall }[]
  /** The order of text (`t`) and calls (`c`). */
  readonly order: string
  readonly warnings: readonly string[]
}

export function heard(codec: Codec, chunks: readonly ModelChunk[], reason: FinishReason = 'stop'): Heard {
  const decoder = listing(codec)
  const said = chunks.flatMap((each) => decoder.push(each))
  said.push(...decoder.push({ type: 'finish', reason, usage: { input: 1, output: 1 } }), ...decoder.end())
  const calls: { name: string; raw: string; isEnded: boolean; invalid?: InvalidCall }[] = []
  let text = ''
  let reasoning = ''
  let order = ''
  for (const chunk of said) {
    if (chunk.type === 'text') {
      text += chunk.text
      if (!order.endsWith('t')) order += 't'
    }
    if (chunk.type === 'reasoning') reasoning += chunk.text
    if (chunk.type === 'call.start') {
      if (chunk.index !== calls.length) throw new Error(`call ${chunk.index} where ${calls.length} is due`)
      calls.push({ name: chunk.name, raw: '', isEnded: false })
      order += 'c'
    }
    if (chunk.type !== 'call.args' && chunk.type !== 'call.end') continue
    const call = calls[chunk.index]
    if (call === undefined || call.isEnded) throw new Error('a call that is not open')
    if (chunk.type === 'call.args') call.raw += chunk.text
    else {
      call.isEnded = true
      if (chunk.invalid !== undefined) call.invalid = chunk.invalid
    }
  }
  return { text, reasoning, calls, order, warnings: decoder.warnings }
}

/** Cuts the text of each chunk at these positions, counted from the start of the chunk. */
export function cutAt(chunks: readonly ModelChunk[], cuts: readonly number[]): ModelChunk[] {
  const sorted = [...cuts].sort((a, b) => a - b)
  return chunks.flatMap((each): ModelChunk[] => {
    if (!('text' in each)) return [each]
    const ends = [...sorted.filter((cut) => cut > 0 && cut < each.text.length), each.text.length]
    let from = 0
    return ends.map((end) => {
      const text = each.text.slice(from, end)
      from = end
      return { ...each, text }
    })
  })
}

export function inPieces(chunks: readonly ModelChunk[], size = 1): ModelChunk[] {
  return chunks.flatMap((each): ModelChunk[] => {
    if (!('text' in each)) return [each]
    const count = Math.ceil(each.text.length / size)
    return Array.from({ length: count }, (_, at) => ({
      ...each,
      text: each.text.slice(at * size, (at + 1) * size),
    }))
  })
}

export function asText(text: string): ModelChunk[] {
  return [{ type: 'text', text }]
}
