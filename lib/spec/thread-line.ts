/** The store of runs that wait until the run before them in their thread has ended. */
import type { RunEvent } from './event'

/** @template R the row of a run */
export interface ThreadLineStore<R> {
  /**
   * Adds a run without an event, to begin when the runs of its thread before it have ended. `free` when there
   * are none, `full` when this many wait already: then nothing is added.
   */
  insertBehind(row: R, most: number): 'added' | 'free' | 'full'
  /** The id of the run that is next in this thread; undefined when none waits. */
  nextBehind(threadId: string): string | undefined
  /** The thread of a run, even of one that was removed; undefined when there is no such run. */
  threadOf(id: string): string | undefined
  /** Threads in which runs wait although none is under way. */
  freeThreads(): string[]
  /** Lets a run that waited begin, with its first event. False when it does not wait, or its thread is busy. */
  beginTurn(id: string, queued: RunEvent, historyThrough: string | null): boolean
  /** Deletes a run that waits for its thread; false when it does not. */
  removeBehind(id: string): boolean
}
