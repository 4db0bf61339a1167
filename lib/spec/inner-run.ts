/** The run inside a call: what its body records and hears, and what of the outer run holds in it. */
import type { ResumeReason, RunEvent } from './event'
import type { PeopleSaid } from './people-said'
import type { RunState } from './state'

/** The run inside a call: its events become events of the outer run, with the call as their parent. */
export interface InnerRun {
  /**
   * A copy of its state as far as its events are recorded; undefined before the first. A body that runs again
   * after a crash can continue from it.
   */
  state(): RunState | undefined
  /**
   * Records an event. It is numbered and dated anew; events after the end of the call are ignored. Resolves once it is
   * an event of the outer run.
   */
  record(event: RunEvent): Promise<void>
  /** Resolves when every event recorded so far is on disk. */
  committed(): Promise<void>
  /** What people say about its calls while the body is at work. What is left when the body rests is kept for it. */
  readonly people: PeopleSaid
  /** Why it goes on, where it had begun; `decided` when it had only waited for people. */
  readonly resumed: ResumeReason | 'decided'
  /** Runs `work` without a place among all calls at work: the calls of the inner run take places of their own. */
  withoutPlace<T>(work: () => Promise<T>): Promise<T>
  /** While all that is at work inside waits for people: this does not count as the call's own time. */
  whileWaiting(wait: () => Promise<void>): Promise<void>
  readonly outer: OuterRun
}

/** What of an outer run holds for the runs inside its calls. The loop makes it, and adds what only the loop reads. */
export interface OuterRun {
  /** The ids of the calls around the run inside, from the outermost, joined by `/`. */
  readonly path: string
  /** The tools that have begun in it, or before it in its thread. */
  begun(): readonly { readonly scopeName: string; readonly source: string }[]
  /** Whether a person gave files to it or to its thread. */
  hasFiles(): boolean
  /** Why its budget, or that of a run around it, is used up; undefined while something is left. */
  overBudget(): string | undefined
}
