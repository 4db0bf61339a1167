/**
 * Reads the blocks of a Messages answer while they grow: text, thinking, calls, and other blocks that
 * must be sent back unchanged.
 */
import { isObject, type JsonObject, tryParseJson } from '#lib/spec/json'
import type { ChunkBuffer } from '../wire/chunk-buffer'
import { objectIn, textIn } from '../wire/json'

export interface AnswerBlock {
  delta(delta: JsonObject): void
  stop(): void
}

interface Place {
  readonly out: ChunkBuffer
  /** The index of the next call. */
  readonly call: number
}

export function openBlock(block: JsonObject, { out, call }: Place): AnswerBlock {
  switch (block.type) {
    case 'text':
      return textBlock(block, out)
    case 'thinking':
      return thinkingBlock(block, out)
    case 'tool_use':
      return callBlock(block, out, call)
    default:
      // The service may send kinds of blocks that are not known yet: they are kept and sent back.
      return otherBlock(block, out)
  }
}

function textBlock(block: JsonObject, out: ChunkBuffer): AnswerBlock {
  out.text(textIn(block, 'text'))
  return { delta: (delta) => out.text(textIn(delta, 'text')), stop: () => undefined }
}

/**
 * Thinking is shown as it arrives. The block is kept with its signature, and must be
 * complete to the last character.
 */
function thinkingBlock(block: JsonObject, out: ChunkBuffer): AnswerBlock {
  let thinking = textIn(block, 'thinking')
  let signature = textIn(block, 'signature')
  out.reasoning(thinking)
  return {
    delta(delta) {
      const more = textIn(delta, 'thinking')
      thinking += more
      signature += textIn(delta, 'signature')
      out.reasoning(more)
    },
    stop: () => out.opaque('anthropic', { ...block, thinking, signature }),
  }
}

function callBlock(block: JsonObject, out: ChunkBuffer, index: number): AnswerBlock {
  const id = textIn(block, 'id')
  let hasArgs = false
  out.callStart(index, textIn(block, 'name'), id === '' ? undefined : id)
  return {
    delta(delta) {
      const more = textIn(delta, 'partial_json')
      if (more !== '') hasArgs = true
      out.callArgs(index, more)
    },
    stop() {
      const input = objectIn(block, 'input')
      // Without deltas, all arguments are in the block itself.
      if (!hasArgs && Object.keys(input).length > 0) out.callArgs(index, JSON.stringify(input))
      out.callEnd(index)
    },
  }
}

function otherBlock(block: JsonObject, out: ChunkBuffer): AnswerBlock {
  const grown: JsonObject = { ...block }
  let json = ''
  return {
    delta({ type: _, ...delta }) {
      json += textIn(delta, 'partial_json')
      for (const [key, value] of Object.entries(delta)) {
        if (key === 'partial_json' || typeof value !== 'string') continue
        const before = grown[key]
        if (before === undefined || typeof before === 'string') grown[key] = (before ?? '') + value
      }
    },
    stop() {
      const input = json === '' ? undefined : tryParseJson(json)
      out.opaque('anthropic', isObject(input) ? { ...grown, input } : grown)
    },
  }
}
