/** What the store of runs knows of the order of the runs in a thread. */
import type { Message } from './message'

export interface RunPlace {
  readonly threadId: string
  /** The run before it. */
  readonly historyThrough: string | null
  /**
   * Messages between the run before this one and this one: the caller gave them to a run that began a thread,
   * or they came from runs that are deleted now. None for a fork, whose whole dialogue is in `historyBefore`.
   */
  readonly between: readonly Message[]
}

/** @template R a run as lists have it */
export interface ThreadPlaceStore<R> {
  /** The dialogue with which a forked thread begins; undefined when it begins with none. */
  historyBefore(threadId: string): readonly Message[] | undefined
  /** Where a run stands in its thread, also one that is deleted but not purged yet. */
  placeOf(id: string): RunPlace | undefined
  /** The run of the thread that was added last; `behind: false` leaves out those that wait for the thread. */
  newestIn(threadId: string, filter?: { readonly behind?: false }): R | undefined
}
