/** Turns: a bounded number of them at once, shared by all who need one; who comes first is served first. */
import type { CallWait } from './event'

/** Gives the turn back; only the first call counts. */
export type GiveBack = () => void

export interface InLine {
  /** Told how many are ahead: at first, and whenever that has changed. */
  ahead?(count: number): void
  /** Ahead of all who come for the first time: for somebody who has had a turn and goes on. */
  isReturning?: boolean
}

export interface Turns {
  /** A turn at once; undefined when all are taken, or when others wait in line. */
  takeNow(): GiveBack | undefined
  /** A turn as soon as there is one; undefined when the signal aborts first. */
  take(signal: AbortSignal, inLine?: InLine): Promise<GiveBack | undefined>
}

/**
 * Does what only waits in a line. Until it is done, the time of the call stands still and its place among the calls at
 * work is another's. `ahead` is to be told how many are ahead in that line.
 */
export type WaitInLine = <T>(
  what: CallWait['for'],
  wait: (ahead: (count: number) => void) => Promise<T>,
) => Promise<T>
