/** The two outputs of a program: kept up to a limit, counted beyond it, and passed on as text as they come. */
import { StringDecoder } from 'node:string_decoder'
import type { ScriptOutput, ScriptStream } from '#lib/spec/walls'

export interface OutputLimits {
  /** Kept of each output. */
  readonly keptBytes: number
  /** Of both together; more is a flood. */
  readonly floodBytes: number
}

export class KeptOutput {
  private readonly texts: Record<ScriptStream, string> = { stdout: '', stderr: '' }
  private readonly decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') }
  private readonly kept: Record<ScriptStream, number> = { stdout: 0, stderr: 0 }
  private total = 0

  /** @param pass receives what is kept, as it comes */
  constructor(
    private readonly limits: OutputLimits,
    private readonly pass: (text: string, from: ScriptStream) => void,
  ) {}

  /** Returns false once there has been a flood. */
  add(chunk: Uint8Array, from: ScriptStream): boolean {
    this.total += chunk.byteLength
    const part = chunk.subarray(0, Math.max(0, this.limits.keptBytes - this.kept[from]))
    if (part.byteLength > 0) {
      this.kept[from] += part.byteLength
      const text = this.decoders[from].write(Buffer.from(part))
      this.texts[from] += text
      if (text !== '') this.pass(text, from)
    }
    return this.total <= this.limits.floodBytes
  }

  get output(): ScriptOutput {
    const { stdout, stderr } = this.texts
    return { stdout, stderr, dropped: this.total - this.kept.stdout - this.kept.stderr }
  }
}
