/**
 * The state of a dialogue with an agent, the events that change it, and the effects that are then due: types
 * and queries.
 */
import type { ApiError } from '#components/data/client'
import type { Artifact } from '#lib/spec/artifact'
import type { RunState } from '#lib/spec/state'
import type { CreateRun } from '#lib/wire/runs'
import { fileHindrance, type GivenFile } from './given-files'

export interface DialogueState {
  /** Grows whenever the dialogue is left, so that a late answer is not applied to the next dialogue. */
  readonly visit: number
  readonly thread: Thread
  /** The text in the field. */
  readonly draft: string
  /** Files for the next question. */
  readonly files: readonly GivenFile[]
  /** The last question, until the dialogue is left. */
  readonly question: Question | null
  /** Written while the question before it was on its way: sent as soon as that one has begun. */
  readonly held: Pick<LateMessage, 'input' | 'how'> | null
  /** Messages for the run under way that the server has not answered yet. */
  readonly late: readonly LateMessage[]
  /** Runs that wait until those before them in the thread have ended, in their order. */
  readonly waiting: readonly WaitingRun[]
  /** Why the last message was not accepted; null once something else is written. */
  readonly problem: string | null
  /** Questions whose dialogue was left before the server answered. */
  readonly behind: readonly Question[]
  /** The earlier thread that a person wants to see, while it is loading. */
  readonly opening: string | null
  readonly run: FollowedRun
  /** The files attached to questions during this visit to the page, by run id. */
  readonly filesOf: ReadonlyMap<string, readonly Artifact[]>
  /** The key of the next question or file. */
  readonly nextKey: number
}

/** The thread of the next question and its files. */
export type Thread =
  /** The next question, or the first file, creates one. */
  { readonly at: 'none' } | { readonly at: 'making' } | { readonly at: 'known'; readonly id: string }

export interface Question {
  readonly key: number
  readonly input: string
  readonly files: readonly Artifact[]
  /** The keys of the attached files that it takes along. */
  readonly fileKeys: readonly number[]
  /** The run whose question is asked again. */
  readonly replaces: string | null
  readonly overrides?: CreateRun['overrides']
  /** Whether the text returns to the field when the question cannot be asked. */
  readonly isWritten: boolean
  /**
   * `thread`: waits until the thread is created. `save`: waits until the drawing is saved. `start`: waits for
   * the server's answer.
   */
  readonly stage: 'thread' | 'save' | 'start' | 'begun'
  /** Known once it has begun. */
  readonly runId: string | null
  /** The run is to be cancelled as soon as it has begun. */
  readonly isStopped: boolean
}

/** `now`: the run that is under way reads it at its next step. `after`: it waits until that run has ended. */
export type MessageTime = 'now' | 'after'

/** What a person sends while a run is under way. */
export interface LateMessage {
  readonly key: number
  readonly input: string
  readonly how: MessageTime
  readonly files: readonly Artifact[]
  readonly fileKeys: readonly number[]
  readonly overrides?: CreateRun['overrides']
}

export interface WaitingRun {
  readonly id: string
  readonly input: string
}

/** What the dialogue needs to know of the run that the page follows. */
export interface FollowedRun {
  readonly id: string | null
  /** Undefined until the run reports it. */
  readonly threadId: string | null | undefined
  /** The run was started and is not over. */
  readonly isUnderWay: boolean
  readonly status: RunState['status'] | undefined
}

/** What depends on the page and on the moment. */
export interface Rules {
  /** Whether the agent can be asked: its drawing has no errors. */
  readonly canAsk: boolean
  /** Whether the drawing is saved before each run. */
  readonly savesFirst: boolean
  readonly overrides?: CreateRun['overrides']
}

export type DialogueEvent =
  | { readonly type: 'typed'; readonly text: string }
  /** The person sends the text in the field. While a run is under way, `how` counts; the default is `now`. */
  | { readonly type: 'sent'; readonly how?: MessageTime }
  | {
      readonly type: 'messageTaken'
      readonly key: number
      readonly runId: string
      readonly threadId: string
      /** The run under way has it, or it is a run that waits, or one that could begin at once. */
      readonly as: 'steered' | 'behind' | 'begun'
    }
  | { readonly type: 'messageRefused'; readonly key: number; readonly error: ApiError }
  /** The person deletes a waiting run, or takes its question back into the field. */
  | { readonly type: 'waitingRemoved'; readonly id: string; readonly edits: boolean }
  /** The server has deleted the waiting run, or it had begun. */
  | {
      readonly type: 'withdrawn'
      readonly run: WaitingRun
      readonly edits: boolean
      readonly visit: number
      readonly isGone: boolean
    }
  /** The person clicks a suggested question. */
  | { readonly type: 'asked'; readonly input: string }
  | { readonly type: 'retried'; readonly runId: string; readonly input: string }
  | { readonly type: 'heldTakenBack' }
  | { readonly type: 'filesGiven'; readonly files: readonly File[] }
  | { readonly type: 'fileRemoved'; readonly key: number }
  | { readonly type: 'fileUploaded'; readonly key: number; readonly artifact: Artifact }
  | { readonly type: 'fileDescribed'; readonly key: number; readonly artifact: Artifact }
  | { readonly type: 'fileRefused'; readonly key: number; readonly reason: string }
  | { readonly type: 'threadMade'; readonly visit: number; readonly id: string }
  | { readonly type: 'threadRefused'; readonly visit: number; readonly reason: string }
  | { readonly type: 'saved'; readonly key: number }
  | { readonly type: 'saveFailed'; readonly key: number }
  | {
      readonly type: 'runStarted'
      readonly key: number
      readonly runId: string
      readonly threadId: string
    }
  | { readonly type: 'runRefused'; readonly key: number; readonly error: ApiError }
  /** The page follows another run, or its run has changed. */
  | { readonly type: 'runChanged'; readonly run: FollowedRun }
  /** The person stops a run that has no id yet. */
  | { readonly type: 'stopped' }
  /** Another thread is shown from now on; null for a thread that is not created yet. */
  | { readonly type: 'left'; readonly threadId: string | null }
  /** The person wants to see an earlier thread. */
  | { readonly type: 'threadWanted'; readonly id: string }
  | { readonly type: 'threadRead'; readonly id: string; readonly lastRunId: string | null }
  /** The server has listed the runs of a thread, oldest first. */
  | { readonly type: 'runsListed'; readonly threadId: string; readonly runs: readonly ListedRun[] }

export interface ListedRun extends WaitingRun {
  readonly isOver: boolean
  /** It waits for its thread. */
  readonly isBehind: boolean
}

export type DialogueDue =
  | { readonly do: 'makeThread'; readonly visit: number }
  | { readonly do: 'upload'; readonly key: number; readonly file: File; readonly threadId: string }
  | { readonly do: 'save'; readonly key: number }
  | { readonly do: 'start'; readonly question: Question; readonly threadId: string | null }
  /** Send a message to the thread whose run is under way. */
  | { readonly do: 'sendLate'; readonly message: LateMessage; readonly threadId: string }
  /** Delete a waiting run. */
  | { readonly do: 'withdraw'; readonly run: WaitingRun; readonly edits: boolean; readonly visit: number }
  | { readonly do: 'cancel'; readonly runId: string }
  /** Show a run as starting, although it has no id yet. */
  | { readonly do: 'showStarting' }
  /** Show the run that was followed before. */
  | { readonly do: 'showAgain' }
  | { readonly do: 'showRefusal'; readonly error: ApiError }
  | { readonly do: 'follow'; readonly runId: string }
  /** Follow no run. */
  | { readonly do: 'unfollow' }
  /** The dialogue continues in this thread: put it into the address. */
  | { readonly do: 'keepThread'; readonly id: string }
  /** The lists of threads and runs are out of date. */
  | { readonly do: 'refresh'; readonly threadId: string }

export interface Outcome {
  readonly state: DialogueState
  readonly due: readonly DialogueDue[]
}

export const noRun: FollowedRun = { id: null, threadId: null, isUnderWay: false, status: undefined }

export const emptyDialogue: DialogueState = {
  visit: 0,
  thread: { at: 'none' },
  draft: '',
  files: [],
  question: null,
  held: null,
  late: [],
  waiting: [],
  problem: null,
  behind: [],
  opening: null,
  run: noRun,
  filesOf: new Map(),
  nextKey: 1,
}

export function threadIdOf({ thread }: Pick<DialogueState, 'thread'>): string | null {
  return thread.at === 'known' ? thread.id : null
}

/** Whether a question is being sent or a run is under way. */
export function isBusy({ question, run }: Pick<DialogueState, 'question' | 'run'>): boolean {
  return run.isUnderWay || (question !== null && question.stage !== 'begun')
}

/** What decides whether a question can be asked. */
type Asking = Pick<DialogueState, 'question' | 'run' | 'files' | 'held' | 'thread'>

/** Whether a question can be sent at once. */
export function canSend(state: Asking, { canAsk }: Rules): boolean {
  return canAsk && !isBusy(state) && fileHindrance(state.files) === undefined
}

/** Whether a message can be sent while a run is under way, or a question is on its way. */
export function canFollowUp(state: Asking, { canAsk }: Rules): boolean {
  const isFree = isReached(state) || state.held === null
  return isFree && isBusy(state) && canAsk && fileHindrance(state.files) === undefined
}

/** Whether the run under way has an id and a thread, by which the server finds it. */
export function isReached({
  question,
  run,
  thread,
}: Pick<DialogueState, 'question' | 'run' | 'thread'>): boolean {
  const isAsking = question !== null && question.stage !== 'begun'
  return !isAsking && run.id !== null && run.isUnderWay && thread.at === 'known'
}
