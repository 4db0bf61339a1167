/** Where the calls of one run get their places among all calls at work: one of them at a time stands in line. */
import type { CallState } from '#lib/spec/state'
import type { GiveBack } from '#lib/spec/turns'
import type { RunDeps } from '../deps'

/** No call stands in line longer than this. */
export const longestWaitMs = 10 * 60_000

interface Hearing {
  ahead(callId: string, count: number): void
  /** There is a place, or the wait for one took too long: the call has its turn again. */
  placed(): void
}

interface Place {
  readonly place: GiveBack
  /** How long the call stood in line. */
  readonly waitedMs: number
}

/**
 * A run with many calls does not keep others from having theirs: since only one of its calls is in line, runs take turns.
 * The line comes before `call.started`, so that a call which has only waited is not taken for one that may have happened.
 */
export class PlaceLine {
  readonly #deps: Pick<RunDeps, 'places' | 'clock'>
  readonly #hearing: Hearing
  #inLine: AbortController | undefined
  /** A place that came while the call stood in line. */
  #granted: GiveBack | undefined
  /** When calls began to stand in line. */
  readonly #since = new Map<string, number>()
  /** The call that has waited as long as it may. */
  #late: string | undefined

  constructor(deps: Pick<RunDeps, 'places' | 'clock'>, hearing: Hearing) {
    this.#deps = deps
    this.#hearing = hearing
  }

  get isInLine(): boolean {
    return this.#inLine !== undefined
  }

  /** In line, or there is something that the call in line has not been told yet. */
  get isWaiting(): boolean {
    return this.isInLine || this.#granted !== undefined || this.#late !== undefined
  }

  /** A place for the call; `waits` when it stands in line from now on, `late` when it has stood there too long. */
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

  /** Gives up the place in line, and a place that nobody has taken yet. */
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
