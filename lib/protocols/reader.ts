/** The decoder of every text format: text goes through the format's machine, all else passes; a model's own calls win. */
import type { FinishReason, ModelChunk } from '#lib/spec/model'
import type { Decoder } from '#lib/spec/protocol'
import type { WireNames } from './names'
import { Out } from './out'
import { Think } from './think'

/** Reads the text of one answer, in pieces cut anywhere, and puts what it finds into its `Out`. */
export interface Machine {
  text(piece: string): void
  /** The text is over: `isWhole` when the model ended it by itself. */
  end(isWhole: boolean): void
}

export function reader(names: WireNames, open: (out: Out) => Machine): Decoder {
  const out = new Out(names.toName)
  const machine = open(out)
  const think = new Think({
    text: (text) => machine.text(text),
    reasoning: (text) => out.reasoning(text),
  })
  let isOver = false
  let ownCalls = -1

  const endText = (isWhole: boolean) => {
    if (isOver) return
    isOver = true
    think.end()
    machine.end(isWhole)
  }

  const onCall = (chunk: Extract<ModelChunk, { readonly index: number }>) => {
    if (ownCalls < 0) {
      endText(false)
      ownCalls = out.calls
    }
    const moved = { ...chunk, index: chunk.index + ownCalls }
    out.pass(moved.type === 'call.start' ? { ...moved, name: names.toName(moved.name) } : moved)
  }

  return {
    warnings: out.warnings,
    push(chunk) {
      switch (chunk.type) {
        case 'text':
          if (isOver) out.pass(chunk)
          else think.push(chunk.text)
          break
        case 'call.start':
        case 'call.args':
        case 'call.end':
          onCall(chunk)
          break
        case 'finish':
          endText(isWhole(chunk.reason))
          out.pass(out.calls > 0 && chunk.reason === 'stop' ? { ...chunk, reason: 'calls' } : chunk)
          break
        case 'fault':
          endText(false)
          out.pass(chunk)
          break
        case 'reasoning':
        case 'opaque':
          out.pass(chunk)
          break
        default:
          chunk satisfies never
      }
      return out.take()
    },
    end() {
      endText(false)
      return out.take()
    },
  }
}

function isWhole(reason: FinishReason): boolean {
  return reason === 'stop' || reason === 'calls'
}
