/** Turns: a bounded number of them at once, shared by all callers, first come, first served. */
import type { CallWait } from './event'

/** Gives the turn back; only the first call counts. */
export type Release = () => void

export interface InLine {
  /** Receives how many are ahead: first at once, then at every change. */
  ahead?(count: number): void
  /** Goes ahead of all new callers: for a caller that had a turn before and continues. */
  isReturning?: boolean
}

export interface Turns {
  /** Returns a turn at once; undefined when all are taken, or when others wait in line. */
  takeNow(): Release | undefined
  /** Resolves with a turn as soon as there is one; undefined when the signal aborts first. */
  take(signal: AbortSignal, inLine?: InLine): Promise<Release | undefined>
}

/**
 * Does work that only waits in a line. Until it ends, the call's time does not run and its place among all
 * calls at work is free for others. `ahead` reports how many are ahead in that line.
 */
export type WaitInLine = <T>(
  what: CallWait['for'],
  wait: (ahead: (count: number) => void) => Promise<T>,
) => Promise<T>
