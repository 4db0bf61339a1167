/** Cuts what a child process says into lines; a line longer than the bound is never held. */
export class Lines {
  private readonly pending: Buffer[] = []
  private pendingBytes = 0

  constructor(private readonly maxBytes: number) {}

  /** The lines that the chunk ends, without their ends; undefined once a line is too long. */
  add(chunk: Buffer): string[] | undefined {
    const lines: string[] = []
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.pending.push(chunk.subarray(from, end))
      if (this.pendingBytes + end - from > this.maxBytes) return undefined
      lines.push(Buffer.concat(this.pending.splice(0)).toString('utf8'))
      this.pendingBytes = 0
      from = end + 1
    }
    if (from < chunk.length) this.pending.push(chunk.subarray(from))
    this.pendingBytes += chunk.length - from
    return this.pendingBytes > this.maxBytes ? undefined : lines
  }
}
