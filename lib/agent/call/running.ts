/** Types that connect a step with its running calls: what they report, and how the run sees them. */
import type { CallStatus, EventBody, RunEvent } from '#lib/spec/event'
import type { InputQuestion, InputReply } from '#lib/spec/input'
import type { JsonObject, JsonValue } from '#lib/spec/json'
import type { Block, Part } from '#lib/spec/message'
import type { PeopleSaid } from '#lib/spec/people-said'
import type { Plan } from '#lib/spec/plan'
import type { RecallReport } from '#lib/spec/recall'
import type { CallState } from '#lib/spec/state'
import type { PlanChange, WithMetadata, WithNote } from '#lib/spec/tool'
import type { BoundTool } from '#lib/spec/toolkit'
import type { Release } from '#lib/spec/turns'
import type { Feed, StreamPiece } from '../feed'

/** How a body, or one try of it, ended. */
export type Ended = WithMetadata &
  WithNote &
  (
    | {
        readonly status: 'ok'
        readonly code: null
        readonly blocks: Block[]
        /** The groups that are active from the next step on. */
        readonly groups?: readonly string[]
        /** The tools that are offered from the next step on because this call found them. */
        readonly found?: readonly string[]
        readonly recall?: readonly RecallReport[]
      }
    | {
        readonly status: Extract<CallStatus, 'error' | 'timeout'>
        readonly code: string | null
        readonly message: string
        /** The same call may succeed later. */
        readonly mayPass: boolean
        /** The next try waits at least so long. */
        readonly retryAfterMs?: number
        /** The body ended in the middle. Its output until then is all there is. */
        readonly brokeOff: boolean
      }
    /** The run inside the body only waits for people. The body runs again once one of them has answered. */
    | { readonly status: 'rests'; readonly code: null }
    /** The body has ended with questions to a person. It runs again with the replies. */
    | {
        readonly status: 'asks'
        readonly code: null
        readonly questions: readonly InputQuestion[]
        readonly state?: JsonValue
      }
  )

/** An ending that is the result of the call. */
export type EndedWithResult = Exclude<Ended, { status: 'asks' | 'rests' }>

/** A question of a body at work. */
export interface AskingBody {
  readonly call: CallState
  readonly tool: BoundTool
  readonly question: InputQuestion
  /** Called once, with the person's reply or with the reason why there is none. */
  reply(given: InputReply): void
}

export interface BodyOutcome {
  readonly ended: Ended
  readonly tries: number
  readonly durationMs: number
  /** Time in lines, not part of `durationMs`. */
  readonly waitedMs: number
  /** What people said about the calls inside, and the body did not hear. */
  readonly people?: PeopleSaid
}

export interface Ran {
  readonly call: CallState
  readonly tool: BoundTool
  readonly outcome: BodyOutcome
}

/** A call that may run. */
export interface RunnableCall {
  readonly call: CallState
  readonly tool: BoundTool
  /** With their secrets. */
  readonly args: JsonObject
  /** As events have them. */
  readonly shown: JsonObject
}

/** A call that holds a place among all calls at work. */
export interface Placed extends RunnableCall {
  readonly place: Release
  readonly waitedMs: number
}

/** What happens in a step in addition to stream pieces: in its answer's stream, and among its calls. */
export type Happening =
  | { readonly type: 'ended'; readonly by: 'itself' | 'stop' | 'budget' | 'timeout' }
  | { readonly type: 'sealed'; readonly parts: Part[] }
  | ({ readonly type: 'done' } & Ran)
  /** `background`: calls in the background have something to report. */
  | { readonly type: 'stopped' | 'grace-over' | 'decided' | 'placed' | 'background' }
  | ({ readonly type: 'asked' } & AskingBody)
  /** An event of the run inside a call. */
  | { readonly type: 'inner'; readonly callId: string; readonly event: RunEvent; recorded(): void }
  | ({ readonly type: 'plan' } & PlanWish)
  /** A body asked a model; `recorded` is called once that is an event. */
  | { readonly type: 'completed'; readonly event: CompletionBody; recorded(): void }
  | Extract<EventBody, { type: 'artifact.created' }>

export type CompletionBody = Extract<EventBody, { type: 'completion.finished' }>

/** A change of the plan that waits for its turn. */
export interface PlanWish {
  readonly callId: string
  readonly change: PlanChange
  /** Called once, with the plan or why there is none. */
  settle(outcome: Plan | string): void
}

/** The calls at work of a step, as the run sees them; `Ledger` is the only implementation. */
export interface RunningCalls {
  /** The line to the body of this call, if it is at work. */
  peopleOf(callId: string): PeopleSaid | undefined
  /** A body is running, or a call waits for its place. */
  readonly isBusy: boolean
  add(call: CallState): void
  takeAll(calls: readonly CallState[]): void
  settle(mayBegin: boolean): AsyncGenerator<RunEvent, void>
  fillUp(): AsyncGenerator<RunEvent, void>
  heed(item: Happening | StreamPiece): AsyncGenerator<RunEvent, void>
  close(): void
}

/** The calls in the background of a run, as its stages see them; `Background` is the only implementation. */
export interface BackgroundCalls {
  /** The line to the body of this call, if it is at work. */
  peopleOf(callId: string): PeopleSaid | undefined
  /** A body is running, or there is something to report. */
  readonly isBusy: boolean
  /** How many bodies are running, or wait for their place after a restart. */
  readonly count: number
  /** Whether nothing of them is at work before a person has answered; true when there are none. */
  readonly onlyAsks: boolean
  begin(placed: Placed): void
  /** Begins calls again that another process had begun, where that does no harm; ends the others. */
  resume(): AsyncGenerator<RunEvent, void>
  /** Emits what has happened since the last time. */
  report(): AsyncGenerator<RunEvent, void>
  /** From now on this feed gets an item when there is something to report. */
  announceTo(feed: Feed<Happening>): void
  /**
   * Waits until there is something to report, a person has decided, or the run is stopped. While all that is left at
   * work waits for a person, other runs may use this run's slot.
   */
  pause(): Promise<void>
  /** Stops all bodies and reports those that end well within their grace period. */
  breakOff(): AsyncGenerator<RunEvent, void>
  close(): void
}
