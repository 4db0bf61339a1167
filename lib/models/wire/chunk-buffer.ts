/**
 * Buffers the chunks that a reader makes: pieces that arrive together leave together, and
 * nothing follows the end.
 */
import type { JsonValue } from '#lib/spec/json'
import type { FinishReason, ModelChunk, ModelFault, Usage } from '#lib/spec/model'
import { estimateTokens } from '#lib/spec/tokens'

interface Counted {
  /** As reported by the provider; undefined if it reported none. */
  readonly usage: Usage | undefined
  /** The body of the request. */
  readonly asked: string
}

export class ChunkBuffer {
  #chunks: ModelChunk[] = []
  /** The last chunk, which may still grow. */
  #open: { type: 'text' | 'reasoning' | 'call.args'; index: number; text: string } | undefined
  #said = ''
  #thought = ''
  readonly #retell: (fault: ModelFault) => ModelFault

  /** How the answer ended; undefined until then. */
  ending: 'finish' | 'fault' | undefined
  /** True if some of the answer has arrived since the last `take`. */
  hasContent = false

  /** @param retell says of a fault what it means for this request */
  constructor(retell: (fault: ModelFault) => ModelFault = (fault) => fault) {
    this.#retell = retell
  }

  get isOver(): boolean {
    return this.ending !== undefined
  }

  get hasText(): boolean {
    return this.#said !== ''
  }

  text(text: string): void {
    this.#said += text
    this.#say('text', text, 0)
  }

  reasoning(text: string): void {
    this.#thought += text
    this.#say('reasoning', text, 0)
  }

  callStart(index: number, name: string, wireId?: string): void {
    this.#said += name
    this.#push({ type: 'call.start', index, name, ...(wireId === undefined ? {} : { wireId }) })
  }

  callArgs(index: number, text: string): void {
    this.#said += text
    this.#say('call.args', text, index)
  }

  callEnd(index: number): void {
    this.#push({ type: 'call.end', index })
  }

  opaque(provider: string, data: JsonValue): void {
    this.#push({ type: 'opaque', provider, data })
  }

  finish(reason: FinishReason, { usage, asked }: Counted): void {
    this.#push({ type: 'finish', reason, usage: usage ?? this.#estimate(asked) })
    this.ending ??= 'finish'
  }

  fault(fault: ModelFault): void {
    if (!this.isOver) this.#push({ type: 'fault', fault: this.#retell(fault) })
    this.ending ??= 'fault'
  }

  /** The chunks since the last call. */
  take(): readonly ModelChunk[] {
    this.#close()
    const chunks = this.#chunks
    this.#chunks = []
    this.hasContent = false
    return chunks
  }

  #say(type: 'text' | 'reasoning' | 'call.args', text: string, index: number): void {
    if (text === '' || this.isOver) return
    this.hasContent = true
    const open = this.#open
    if (open !== undefined && open.type === type && open.index === index) {
      open.text += text
      return
    }
    this.#close()
    this.#open = { type, index, text }
  }

  #push(chunk: ModelChunk): void {
    if (this.isOver) return
    this.#close()
    this.hasContent = true
    this.#chunks.push(chunk)
  }

  #close(): void {
    const open = this.#open
    if (open === undefined) return
    this.#open = undefined
    const { type, index, text } = open
    this.#chunks.push(type === 'call.args' ? { type, index, text } : { type, text })
  }

  #estimate(asked: string): Usage {
    const reasoning = estimateTokens(this.#thought)
    return {
      input: estimateTokens(asked),
      output: reasoning + estimateTokens(this.#said),
      ...(reasoning > 0 ? { reasoning } : {}),
      estimated: true,
    }
  }
}
