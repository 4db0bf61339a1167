/** Whether one body works or waits: its time runs only while it works, and only then it holds a place among the calls at work. */
import type { CallWait } from '#lib/spec/event'
import type { GiveBack, Turns, WaitInLine } from '#lib/spec/turns'
import type { Clock } from '../deps'
import { longestSleepMs } from '../overrun'

interface AtWorkGiven {
  readonly clock: Clock
  /** Absent where any number of calls may be at work. */
  readonly places?: Turns | undefined
  /** Its place among them. */
  readonly place?: GiveBack | undefined
  /** Shows what it waits for; null when the wait is over. */
  show(wait: CallWait | null): void
}

/**
 * Nobody who waits holds a place, so that a call which waits for other calls cannot keep them from beginning. After the
 * wait the body takes a place again before it goes on, ahead of all calls that have not begun.
 */
export class AtWork {
  readonly #given: AtWorkGiven
  readonly #startedAt: number
  readonly #left = new AbortController()
  #place: GiveBack | undefined
  #returning: Promise<void> | undefined
  #waits = 0
  #waitsSince = 0
  #waitedMs = 0
  #isShown = false
  #onWork: (() => void)[] = []

  constructor(given: AtWorkGiven) {
    this.#given = given
    this.#place = given.place
    this.#startedAt = given.clock.monotonic()
  }

  /** Milliseconds since it began in which it did not wait in line. */
  get workedMs(): number {
    return this.#given.clock.monotonic() - this.#startedAt - this.waitedMs
  }

  get waitedMs(): number {
    if (this.#waits === 0 || this.#left.signal.aborted) return this.#waitedMs
    return this.#waitedMs + this.#given.clock.monotonic() - this.#waitsSince
  }

  /** Waits in a line; the time until then is not the body's. */
  readonly inLine: WaitInLine = async (what, wait) => {
    this.#beginWait()
    try {
      return await wait((ahead) => this.#show({ for: what, ahead }))
    } finally {
      await this.#return()
      this.#endWait()
    }
  }

  /** Waits without a place, in the body's own time. */
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

  /** True as soon as it has worked for so many more seconds; false when it ended first. */
  async hasWorked(seconds: number, ended: AbortSignal): Promise<boolean> {
    const { clock } = this.#given
    const most = this.workedMs + seconds * 1_000
    try {
      for (let left = most - this.workedMs; left > 0 && !ended.aborted; left = most - this.workedMs) {
        await clock.sleep(Math.min(left, longestSleepMs), ended)
        if (!ended.aborted) await this.#untilAtWork()
      }
    } catch {
      return false
    }
    return !ended.aborted
  }

  /** It is to end: it stands in no line any more. */
  stop(): void {
    // What it still waits for counts as its own time: it was told to end.
    this.#waitedMs = this.waitedMs
    this.#left.abort()
    this.#wake()
  }

  /** It has ended, or is left behind. */
  end(): void {
    this.stop()
    this.#giveBack()
  }

  async #untilAtWork(): Promise<void> {
    while (this.#waits > 0 && !this.#left.signal.aborted)
      await new Promise<void>((resolve) => this.#onWork.push(resolve))
  }

  #beginWait(): void {
    if (this.#waits === 0) this.#waitsSince = this.#given.clock.monotonic()
    this.#waits += 1
    this.#giveBack()
  }

  #endWait(): void {
    this.#waits -= 1
    if (this.#waits > 0 || this.#left.signal.aborted) return
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
    const { signal } = this.#left
    if (places === undefined || this.#place !== undefined || signal.aborted) return
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
    if (this.#left.signal.aborted || (wait === null && !this.#isShown)) return
    this.#isShown = wait !== null
    this.#given.show(wait)
  }

  #wake(): void {
    for (const wake of this.#onWork.splice(0)) wake()
  }
}
