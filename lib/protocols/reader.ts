/**
 * The decoder of every text format: text goes through the format's machine, other chunks pass through. A
 * native call ends the reading of text.
 */
import type { FinishReason, ModelChunk } from '#lib/spec/model'
import type { Decoder } from '#lib/spec/protocol'
import type { WireNames } from './names'
import type { Out } from './out'
import { Think } from './think'

/** Reads the text of one answer, in pieces cut anywhere, and writes the result to its `Out`. */
export interface Machine {
  text(piece: string): void
  /** Called when the text is over; `isWhole` is true if the model ended it itself. */
  end(isWhole: boolean): void
}

/**
 * A class rather than closures, so that all decoders share one set of methods: every piece of every
 * answer passes through them.
 */
export class Reader implements Decoder {
  readonly #names: WireNames
  readonly #out: Out
  readonly #machine: Machine
  readonly #think: Think
  #isOver = false
  #ownCalls = -1

  constructor(names: WireNames, out: Out, machine: Machine) {
    this.#names = names
    this.#out = out
    this.#machine = machine
    this.#think = new Think({
      text: (text) => this.#machine.text(text),
      reasoning: (text) => this.#out.reasoning(text),
    })
  }

  get warnings(): readonly string[] {
    return this.#out.warnings
  }

  push(chunk: ModelChunk): void {
    const out = this.#out
    switch (chunk.type) {
      case 'text':
        if (this.#isOver) out.pass(chunk)
        else if (this.#think.isPast) this.#machine.text(chunk.text)
        else this.#think.push(chunk.text)
        break
      case 'call.start':
      case 'call.args':
      case 'call.end':
        this.#hearCall(chunk)
        break
      case 'finish':
        this.#endText(isWhole(chunk.reason))
        out.pass(out.calls > 0 && chunk.reason === 'stop' ? { ...chunk, reason: 'calls' } : chunk)
        break
      case 'fault':
        this.#endText(false)
        out.pass(chunk)
        break
      case 'reasoning':
      case 'opaque':
        out.pass(chunk)
        break
      default:
        chunk satisfies never
    }
    out.tell()
  }

  end(): void {
    this.#endText(false)
    this.#out.tell()
  }

  #endText(isWhole: boolean): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#think.end()
    this.#machine.end(isWhole)
  }

  #hearCall(chunk: Extract<ModelChunk, { readonly index: number }>): void {
    if (this.#ownCalls < 0) {
      this.#endText(false)
      this.#ownCalls = this.#out.calls
    }
    const moved = { ...chunk, index: chunk.index + this.#ownCalls }
    this.#out.pass(moved.type === 'call.start' ? { ...moved, name: this.#names.toName(moved.name) } : moved)
  }
}

function isWhole(reason: FinishReason): boolean {
  return reason === 'stop' || reason === 'calls'
}
