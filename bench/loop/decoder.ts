/**
 * Our reader of the XML format as a contender: pieces of an answer go in, calls with their arguments come
 * out.
 */
import { protocols } from '#lib/protocols'
import type { ModelChunk } from '#lib/spec/model'
import type { Listener } from '#lib/spec/protocol'
import type { BoundTool } from '#lib/spec/toolkit'

const parameters = {
  type: 'object',
  properties: { path: { type: 'string' }, content: { type: 'string' } },
  required: ['path', 'content'],
  additionalProperties: false,
}

const tool: BoundTool = {
  name: 'write',
  scopeName: 'write',
  node: 'tools/0',
  source: 'bench',
  description: 'Writes a file',
  parameters,
  risk: 'write',
  effect: 'effect',
  timeoutSeconds: 30,
  run: async () => ({ ok: true, blocks: [] }),
}

interface Read {
  readonly name: string
  /** The arguments as JSON. */
  args: string
}

/** Receives the decoder's output as the loop does: one call at a time. */
class Reading implements Listener {
  readonly calls: Read[] = []
  #call: Read = { name: '', args: '' }
  readonly #hear: (text: string) => void

  constructor(hear: (text: string) => void) {
    this.#hear = hear
  }

  hear(chunk: ModelChunk): void {
    if (chunk.type === 'call.args') {
      this.#call.args += chunk.text
      this.#hear(chunk.text)
    } else if (chunk.type === 'call.start') {
      this.#call = { name: chunk.name, args: '' }
      this.calls.push(this.#call)
    }
  }
}

/**
 * Like the floor: `hear` is called with each piece of arguments, and the arguments of each call are read
 * once.
 */
export function openDecoder(hear: (text: string) => void) {
  const xml = protocols.find(({ id }) => id === 'xml')
  if (xml === undefined) throw new Error('no XML format')
  const codec = xml.open([tool], 'user_message')
  return (pieces: readonly string[]): Read[] => {
    const reading = new Reading(hear)
    const decoder = codec.decoder(reading)
    for (const text of pieces) decoder.push({ type: 'text', text })
    decoder.push({ type: 'finish', reason: 'stop', usage: { input: 0, output: 0 } })
    for (const { args } of reading.calls) if (args.charCodeAt(args.length - 1) !== 125) hear(args)
    return reading.calls
  }
}
