/** A limited number of turns. When all are taken, callers wait in line; aborting leaves the line. */
import type { InLine, Release, Turns as TurnsPort, WaitInLine } from '#lib/spec/turns'

interface Waiting {
  enter(): void
  readonly inLine: InLine
  /** The number of callers ahead of it that was last reported. */
  told?: number
}

export class TurnQueue implements TurnsPort {
  private taken = 0
  /** Callers that have had a turn before; they come before the others. */
  private readonly returning = new Set<Waiting>()
  private readonly line = new Set<Waiting>()

  constructor(private readonly most: number) {}

  takeNow(): Release | undefined {
    if (this.taken >= this.most) return undefined
    this.taken += 1
    return this.turn()
  }

  async take(signal: AbortSignal, inLine: InLine = {}): Promise<Release | undefined> {
    if (signal.aborted) return undefined
    return this.takeNow() ?? this.wait(signal, inLine)
  }

  private wait(signal: AbortSignal, inLine: InLine): Promise<Release | undefined> {
    const line = inLine.isReturning ? this.returning : this.line
    return new Promise((resolve) => {
      const leave = (turn: Release | undefined) => {
        line.delete(waiting)
        signal.removeEventListener('abort', onAbort)
        resolve(turn)
        this.tellAll()
      }
      const onAbort = () => leave(undefined)
      const waiting: Waiting = { inLine, enter: () => leave(this.turn()) }
      line.add(waiting)
      signal.addEventListener('abort', onAbort, { once: true })
      this.tellAll()
    })
  }

  /** Giving a turn back hands it to the first in line, so that `taken` does not change. */
  private turn(): Release {
    let isGiven = false
    return () => {
      if (isGiven) return
      isGiven = true
      const [first] = this.returning.size > 0 ? this.returning : this.line
      if (first === undefined) this.taken -= 1
      else first.enter()
    }
  }

  private tellAll(): void {
    let count = 0
    for (const line of [this.returning, this.line]) {
      for (const waiting of line) {
        if (waiting.told !== count) waiting.inLine.ahead?.(count)
        waiting.told = count
        count += 1
      }
    }
  }
}

/** The longest time that a call waits for a free sandbox. */
export const longestWaitMs = 10 * 60_000

/**
 * Takes a turn in a sandbox for a call. The call's own time does not run while it waits.
 * @param inLine how the call waits; by default it simply waits
 */
export async function turnIn(
  turns: TurnQueue,
  signal: AbortSignal,
  { inLine = justWait, longestMs = longestWaitMs }: { inLine?: WaitInLine; longestMs?: number } = {},
): Promise<Release | 'aborted' | 'busy'> {
  if (signal.aborted) return 'aborted'
  const free = turns.takeNow()
  if (free !== undefined) return free
  const over = new AbortController()
  const onAbort = () => over.abort('aborted')
  const timer = setTimeout(() => over.abort('busy'), longestMs)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    const turn = await inLine('sandbox', (ahead) => turns.take(over.signal, { ahead }))
    if (turn === undefined) return over.signal.reason === 'busy' ? 'busy' : 'aborted'
    if (!signal.aborted) return turn
    turn()
    return 'aborted'
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

const justWait: WaitInLine = (_, wait) => wait(() => undefined)

/** The message for a call that has waited as long as it may and was not run. */
export function busyMessage(longestMs = longestWaitMs): string {
  const minutes = longestMs / 60_000
  return `Every sandbox was busy for ${minutes} minutes, so this was not run. Try again later.`
}
