/**
 * The output that foreign code prints: sent a few times a second in whole lines, up to a limit;
 * later lines are only counted.
 */
import { say } from './javascript-say'
import { maxLogBytes } from './javascript-wire'

const everyMs = 100

export class Log {
  private pending = ''
  private told = 0
  private dropped = 0
  private at = Number.NEGATIVE_INFINITY
  private timer: NodeJS.Timeout | undefined

  add(line: string): void {
    const bytes = Buffer.byteLength(line) + 1
    if (this.dropped > 0 || this.told + bytes > maxLogBytes) {
      this.dropped += 1
      return
    }
    this.told += bytes
    this.pending += `${line}\n`
    const wait = this.at + everyMs - performance.now()
    if (wait <= 0) this.flush()
    else this.timer ??= setTimeout(() => this.flush(), wait)
  }

  flush(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.at = performance.now()
    if (this.pending !== '') say({ type: 'log', text: this.pending })
    this.pending = ''
  }

  end(): void {
    const { dropped } = this
    if (dropped > 0)
      this.pending += `(${dropped} more ${dropped === 1 ? 'line was' : 'lines were'} printed)\n`
    this.flush()
  }
}
