/** Gets the calls of one run their places among all calls at work, with one call in line at a time. */
import type { CallState } from '#lib/spec/state'
import type { Release } from '#lib/spec/turns'
import type { RunDeps } from '../deps'

/** The longest time in line of a call, in milliseconds. */
export const longestWaitMs = 10 * 60_000

interface Hearing {
  ahead(callId: string, count: number): void
  /** There is a place, or the wait took too long: the call has its turn again. */
  placed(): void
}

interface Place {
  readonly place: Release
  /** How long the call waited in line. */
  readonly waitedMs: number
}

/**
 * A run with many calls does not block other runs: only one of its calls is in line, so runs take turns. The
 * line comes before `call.started`, so a call that has only waited is never mistaken for one that may have
 * run.
 */
export class PlaceLine {
  readonly #deps: Pick<RunDeps, 'places' | 'clock'>
  readonly #hearing: Hearing
  #inLine: AbortController | undefined
  /** A place that was granted while the call was in line. */
  #granted: Release | undefined
  /** When each call joined the line. */
  readonly #since = new Map<string, number>()
  /** The call that has waited for the longest allowed time. */
  #late: string | undefined

  constructor(deps: Pick<RunDeps, 'places' | 'clock'>, hearing: Hearing) {
    this.#deps = deps
    this.#hearing = hearing
  }

  get isInLine(): boolean {
    return this.#inLine !== undefined
  }

  /** A call is in line, or has not yet taken the place or heard that its time is over. */
  get isWaiting(): boolean {
    return this.isInLine || this.#granted !== undefined || this.#late !== undefined
  }

  /**
   * Returns a place for the call; `waits` when the call is now in line, `late` when it has waited too long.
   */
  take({ id }: CallState): Place | 'waits' | 'late' {
    const { places, clock } = this.#deps
    if (this.#late === id) {
      this.#late = undefined
      return 'late'
    }
    const place = this.#granted ?? (places === undefined ? () => undefined : places.takeNow())
    this.#granted = undefined
    const since = this.#since.get(id)
    if (place !== undefined) {
      this.#since.delete(id)
      return { place, waitedMs: since === undefined ? 0 : clock.monotonic() - since }
    }
    if (since === undefined) this.#since.set(id, clock.monotonic())
    void this.#stand(id)
    return 'waits'
  }

  /** Leaves the line, and gives back a place that no call has taken yet. */
  leave(): void {
    this.#inLine?.abort('left')
    this.#inLine = undefined
    this.#granted?.()
    this.#granted = undefined
    this.#late = undefined
  }

  async #stand(id: string): Promise<void> {
    const { places, clock } = this.#deps
    const inLine = new AbortController()
    this.#inLine = inLine
    const ended = new AbortController()
    const late = async () => {
      try {
        await clock.sleep(longestWaitMs, ended.signal)
      } catch {
        return
      }
      if (!ended.signal.aborted) inLine.abort('late')
    }
    void late()
    const place = await places?.take(inLine.signal, { ahead: (count) => this.#hearing.ahead(id, count) })
    ended.abort('ended')
    if (this.#inLine !== inLine) return place?.()
    this.#inLine = undefined
    if (place === undefined) this.#late = id
    else this.#granted = place
    this.#hearing.placed()
  }
}
