/**
 * Children that have served a call and wait for the next one of the same owner. Each ends when nobody needs it for a
 * minute.
 */

export interface WarmChild {
  readonly isAlive: boolean
  kill(): void
}

const idleMs = 60_000
/** A warm Python takes some 150 MiB. */
const maxWarm = 2

export class WarmChildren<C extends WarmChild> {
  private readonly waiting = new Map<string, { child: C; timer: NodeJS.Timeout }>()

  constructor(
    private readonly idle: number = idleMs,
    private readonly most: number = maxWarm,
  ) {}

  /** The owner's own child, which now belongs to the caller. */
  take(owner: string | undefined): C | undefined {
    const found = owner === undefined ? undefined : this.waiting.get(owner)
    if (owner === undefined || found === undefined) return undefined
    this.waiting.delete(owner)
    clearTimeout(found.timer)
    return found.child.isAlive ? found.child : undefined
  }

  /** Keeps a child for its owner; a child without one is killed. */
  put(owner: string | undefined, child: C): void {
    if (owner === undefined || !child.isAlive || this.waiting.has(owner)) {
      child.kill()
      return
    }
    const timer = setTimeout(() => this.take(owner)?.kill(), this.idle)
    timer.unref()
    this.waiting.set(owner, { child, timer })
    const [oldest] = this.waiting.keys()
    if (this.waiting.size > this.most && oldest !== undefined) this.take(oldest)?.kill()
  }

  close(): void {
    for (const owner of [...this.waiting.keys()]) this.take(owner)?.kill()
  }
}
