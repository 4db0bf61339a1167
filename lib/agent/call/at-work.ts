/** Tracks one body: its time runs, and it holds a place among all calls, only while it works. */
import type { CallWait } from '#lib/spec/event'
import type { Release, Turns, WaitInLine } from '#lib/spec/turns'
import type { Clock } from '../deps'
import { after, LazyAbort } from '../later'
import { longestSleepMs } from '../overrun'

interface AtWorkGiven {
  readonly clock: Clock
  /** Absent when there is no limit on the calls at work. */
  readonly places?: Turns | undefined
  /** The place that the call already holds. */
  readonly place?: Release | undefined
  /** Shows what the call waits for; null when the wait is over. */
  show(wait: CallWait | null): void
}

/**
 * A call that waits holds no place, so a call that waits for other calls cannot keep them from beginning.
 * After the wait the body takes a place again before it continues, ahead of all calls that have not begun.
 */
export class AtWork {
  readonly #given: AtWorkGiven
  readonly #startedAt: number
  readonly #left = new LazyAbort()
  #place: Release | undefined
  #returning: Promise<void> | undefined
  #waits = 0
  #waitsSince = 0
  #waitedMs = 0
  #isShown = false
  /** Parts of the body that work without a place. */
  #withoutPlace = 0
  #onWork: (() => void)[] = []

  constructor(given: AtWorkGiven) {
    this.#given = given
    this.#place = given.place
    this.#startedAt = given.clock.monotonic()
  }

  /** Milliseconds since the call began, without its time in lines. */
  get workedMs(): number {
    return this.#given.clock.monotonic() - this.#startedAt - this.waitedMs
  }

  get waitedMs(): number {
    if (this.#waits === 0 || this.#left.aborted) return this.#waitedMs
    return this.#waitedMs + this.#given.clock.monotonic() - this.#waitsSince
  }

  /** Waits in a line. This time does not count as the body's own. */
  readonly inLine: WaitInLine = async (what, wait) => {
    this.#beginWait()
    try {
      return await wait((ahead) => this.#show({ for: what, ahead }))
    } finally {
      await this.#return()
      this.#endWait()
    }
  }

  /** Waits without a place, but in the body's own time. */
  async rest(wait: () => Promise<void>): Promise<void> {
    this.#giveBack()
    try {
      await wait()
    } finally {
      this.#beginWait()
      await this.#return()
      this.#endWait()
    }
  }

  /** Runs a part of the body that needs no place, because what it begins takes places of its own. */
  async withoutPlace<T>(work: () => Promise<T>): Promise<T> {
    this.#withoutPlace += 1
    this.#giveBack()
    try {
      return await work()
    } finally {
      this.#withoutPlace -= 1
    }
  }

  /** Acts once the body has worked this many more seconds, unless the function it returns is called before. */
  onceWorked(seconds: number, act: () => void): () => void {
    const most = this.workedMs + seconds * 1_000
    let isOff = false
    let stopTimer = () => {}
    const wait = () => {
      if (isOff) return
      const left = most - this.workedMs
      if (left <= 0) return act()
      stopTimer = after(this.#given.clock, Math.min(left, longestSleepMs), () => {
        void this.#untilAtWork().then(wait)
      })
    }
    wait()
    return () => {
      isOff = true
      stopTimer()
    }
  }

  /** The body must end: it leaves every line. */
  stop(): void {
    // After this, its remaining waits count as its own time.
    this.#waitedMs = this.waitedMs
    this.#left.abort('left')
    this.#wake()
  }

  /** The body has ended, or nobody waits for it any more. */
  end(): void {
    this.stop()
    this.#giveBack()
  }

  async #untilAtWork(): Promise<void> {
    while (this.#waits > 0 && !this.#left.aborted)
      await new Promise<void>((resolve) => this.#onWork.push(resolve))
  }

  #beginWait(): void {
    if (this.#waits === 0) this.#waitsSince = this.#given.clock.monotonic()
    this.#waits += 1
    this.#giveBack()
  }

  #endWait(): void {
    this.#waits -= 1
    if (this.#waits > 0 || this.#left.aborted) return
    this.#waitedMs += this.#given.clock.monotonic() - this.#waitsSince
    this.#show(null)
    this.#wake()
  }

  #return(): Promise<void> {
    this.#returning ??= this.#takePlace().finally(() => {
      this.#returning = undefined
    })
    return this.#returning
  }

  async #takePlace(): Promise<void> {
    const { places } = this.#given
    if (places === undefined || this.#place !== undefined || this.#left.aborted) return
    if (this.#withoutPlace > 0) return
    const { signal } = this.#left
    const ahead = (count: number) => this.#show({ for: 'place', ahead: count })
    const place = await places.take(signal, { ahead, isReturning: true })
    if (signal.aborted) place?.()
    else this.#place = place
  }

  #giveBack(): void {
    this.#place?.()
    this.#place = undefined
  }

  #show(wait: CallWait | null): void {
    if (this.#left.aborted || (wait === null && !this.#isShown)) return
    this.#isShown = wait !== null
    this.#given.show(wait)
  }

  #wake(): void {
    for (const wake of this.#onWork.splice(0)) wake()
  }
}
