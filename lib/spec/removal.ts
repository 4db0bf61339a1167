/** Deleted runs as the database keeps them until they are purged. */
import type { Message } from './message'

export interface RemovalStore {
  /**
   * Hides those of these runs that are finished. Unknown runs are in neither list, and neither are runs that
   * were removed before.
   */
  remove(ids: readonly string[], at: number): { removed: string[]; unfinished: string[] }
  /** Shows hidden runs again; returns those that were still there. */
  restore(ids: readonly string[]): string[]
  /** Hidden runs that are still to be purged, newest first. */
  waiting(): string[]
  /** Whether a later run of its thread continues the dialogue from this run. */
  isContinued(id: string): boolean
  /**
   * Deletes a hidden run for good, with its events and the files that nothing else names. Later runs of the thread
   * get `dialogue`, the run's own messages, since their requests contained it. The last run of a thread takes
   * the thread with it, whose id is then returned.
   */
  purge(id: string, dialogue: readonly Message[]): { readonly threadId?: string }
}
