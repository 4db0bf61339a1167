/** Timers and abort signals that cost nothing until somebody needs them: most bodies and streams end before that. */
import type { Clock } from './deps'

/** Acts after this many milliseconds, unless the function it returns is called before. */
export function after(clock: Clock, ms: number, act: () => void): () => void {
  if (clock.after !== undefined) return clock.after(ms, act)
  const off = new AbortController()
  clock.sleep(ms, off.signal).then(
    () => {
      if (!off.signal.aborted) act()
    },
    () => undefined,
  )
  return () => off.abort('off')
}

/** Whether something has been stopped; an AbortSignal is one. */
export interface Stopping {
  readonly aborted: boolean
}

/** Like an AbortController, but its signal is made only when it is asked for. */
export class LazyAbort implements Stopping {
  #controller: AbortController | undefined
  #isAborted = false
  #reason: unknown
  #inner: LazyAbort | undefined

  get aborted(): boolean {
    return this.#isAborted
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#isAborted) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  abort(reason: unknown): void {
    if (this.#isAborted) return
    this.#isAborted = true
    this.#reason = reason
    this.#controller?.abort(reason)
    this.#inner?.abort(reason)
  }

  /** One that is aborted with this one, and may be before it. It takes the place of an earlier one. */
  within(): LazyAbort {
    const inner = new LazyAbort()
    this.#inner = inner
    if (this.#isAborted) inner.abort(this.#reason)
    return inner
  }
}
