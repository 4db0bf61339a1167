/** Frames between the server and a child program: one line of JSON, then as many bytes as it says. Pure. */

export interface ChildFrame {
  readonly header: Readonly<Record<string, unknown>>
  readonly body: Uint8Array
}

export interface FrameLimits {
  readonly maxLineBytes: number
  readonly maxBodyBytes: number
}

/** The most bytes of one file on its way in or out. */
export const maxFileBytes = 64 * 1024 * 1024
export const frameLimits: FrameLimits = { maxLineBytes: 64 * 1024, maxBodyBytes: maxFileBytes }

/** Bytes of one frame. The header says how long the body is. */
export function frameOf(header: Readonly<Record<string, unknown>>, body: Uint8Array = empty): Uint8Array {
  const line = new TextEncoder().encode(`${JSON.stringify({ ...header, bytes: body.byteLength })}\n`)
  const frame = new Uint8Array(line.byteLength + body.byteLength)
  frame.set(line)
  frame.set(body, line.byteLength)
  return frame
}

const empty = new Uint8Array()

/** Reads frames from chunks of any size; what is longer than the limits is never kept in memory. */
export class FrameReader {
  private chunks: Uint8Array[] = []
  private length = 0
  private header: { readonly value: ChildFrame['header']; readonly bytes: number } | undefined
  private isBroken = false

  constructor(private readonly limits: FrameLimits) {}

  /** The frames that this chunk completes; undefined once the sender has broken the rules. */
  add(chunk: Uint8Array): ChildFrame[] | undefined {
    this.chunks.push(chunk)
    this.length += chunk.byteLength
    const frames: ChildFrame[] = []
    for (;;) {
      if (this.header === undefined && !this.readHeader(chunk)) break
      if (this.header === undefined || this.length < this.header.bytes) break
      frames.push({ header: this.header.value, body: this.take(this.header.bytes) })
      this.header = undefined
    }
    return this.isBroken ? undefined : frames
  }

  /** Whether there may be a header now. `latest` is the only chunk in which a line end can be new. */
  private readHeader(latest: Uint8Array): boolean {
    if (this.isBroken) return false
    const end = this.lineEnd(latest)
    if (end === -1 ? this.length > this.limits.maxLineBytes : end > this.limits.maxLineBytes) {
      this.isBroken = true
      return false
    }
    if (end === -1) return false
    const value = objectIn(new TextDecoder().decode(this.take(end + 1)))
    const bytes = value?.bytes ?? 0
    if (value === undefined || !isSize(bytes) || bytes > this.limits.maxBodyBytes) {
      this.isBroken = true
      return false
    }
    this.header = { value, bytes }
    return true
  }

  private lineEnd(latest: Uint8Array): number {
    if (this.length === 0) return -1
    // After a frame has been taken, the rest of the latest chunk is the only chunk.
    const [only] = this.chunks
    if (this.chunks.length === 1 && only !== undefined) return only.indexOf(10)
    const end = latest.indexOf(10)
    return end === -1 ? -1 : this.length - latest.byteLength + end
  }

  private take(bytes: number): Uint8Array {
    const [only] = this.chunks
    const all = this.chunks.length === 1 && only !== undefined ? only : joined(this.chunks, this.length)
    this.chunks = all.byteLength > bytes ? [all.subarray(bytes)] : []
    this.length = all.byteLength - bytes
    return all.subarray(0, bytes)
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.byteLength
  }
  return all
}

function objectIn(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined // cast: it is an object, as just checked
  } catch {
    return undefined
  }
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
