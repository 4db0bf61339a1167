/** Splits the output of a child process into lines; a line longer than the limit is never kept in memory. */
export class Lines {
  private readonly pending: Buffer[] = []
  private pendingBytes = 0

  constructor(private readonly maxBytes: number) {}

  /** The lines that this chunk completes, without line ends; undefined once a line is too long. */
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
