/** The state of a run: nothing but a fold of its events. Loop, replay, trace and canvas read the same one. */
import type { Artifact } from './artifact'
import type {
  AgentRef,
  CallStatus,
  CallWait,
  Earlier,
  EventOf,
  FinalAnswer,
  ForkPoint,
  Plan,
  RunError,
  RunStatus,
} from './event'
import type { JsonObject, JsonValue } from './json'
import type { Block, InvalidCall, Message, Part } from './message'
import type { Usage } from './model'
import type { Verdict } from './policy'

/** What a run starts from. `history` is the thread's dialogue before it. */
export interface RunStart {
  readonly agent: AgentRef
  readonly input: string
  readonly threadId: string | null
  readonly historyThrough: string | null
  readonly history: readonly Message[]
  readonly files?: readonly Artifact[]
  /** What came into the thread before the run, however long ago; absent where there was nothing before it. */
  readonly earlier?: Earlier
  /** Where a fork begins anew. */
  readonly forkedFrom?: ForkPoint
}

export interface RuledCall {
  readonly policy: string
  readonly node: string
  readonly verdict: Verdict
  readonly reason: string
  readonly ends?: 'budget'
  readonly at: number
}

/** What one hook said. */
export type HookCalled = Omit<EventOf<'hook.called'>, 'type' | 'seq' | 'step' | 'parent' | 'callId'>

/** One call of a step, from its first delta to its one result. */
export interface CallState {
  readonly id: string
  name: string
  /** Live only; emptied when the answer is complete. */
  argsText: string
  rawArgs: string
  args?: JsonObject
  invalid?: InvalidCall
  /** `streaming` while arguments come, `due` once the answer stands, `waiting` for a person, `running` once its body may have begun. */
  status: 'streaming' | 'due' | 'waiting' | 'running' | CallStatus
  source?: string
  /** The entry it belongs to. */
  node: string | null
  startedAt?: number
  finishedAt?: number
  durationMs: number
  /** How long it waited in lines, beside its duration. */
  waitedMs?: number
  attempts: number
  code: string | null
  /** Live only; emptied when the call is finished. */
  progress: { text: string; blocks: readonly Block[] | null }
  /** Live only: what it waits for in a line. */
  wait?: CallWait
  result?: { readonly blocks: readonly Block[]; readonly text: string }
  /** The whole observation, when it was too long for the model. */
  artifact?: string
  /** What the tool tells of its work; the model does not read it. */
  metadata?: JsonObject
  /** The result is that of an equal call before it. */
  cached?: true
  /** Ends the run when it ends well, and so has its turn after all others of the step. */
  ends?: true
  /** It gave an answer, and then this call of its step another, which counts. */
  replacedBy?: string
  /** A fork took it over with its result, and did not run it. */
  copied?: true
  /** What of it a person wrote, in a fork. */
  edited?: 'args' | 'result'
  /** Files it made or changed. */
  created: Artifact[]
  rulings: RuledCall[]
  /** What a person was asked, and what they said. */
  approval?: Approval
  /** Hooks asked before and after it, in order. */
  hooks?: HookCalled[]
  /** How many of them were asked of arguments that a person has changed since. */
  hooksBefore?: number
}

export interface Approval {
  readonly askedAt: number
  /** Null when there is no time limit. */
  readonly expiresAt: number | null
  /** What holds when nobody has decided by then. */
  readonly onTimeout: 'approve' | 'reject'
  readonly args: JsonObject
  decided?: Omit<EventOf<'approval.decided'>, 'type' | 'seq' | 'step' | 'parent' | 'callId'>
}

export interface RequestState {
  attempt: number
  at: number
  counts: { messages: number; tools: number }
  tools: EventOf<'model.requested'>['tools']
  bytes: number
  hash: string
}

export interface StepState {
  readonly number: number
  readonly maxSteps: number
  readonly startedAt: number
  /** A fork took it over: to its end, or as far as it had come. */
  copied?: 'whole' | 'begun'
  /** True for the closing answer asked for without tools. */
  readonly summary: boolean
  /** How many of the run's messages its request holds; later ones come from it. */
  readonly messagesBefore: number
  /** What the window on the dialogue left out. */
  truncated?: EventOf<'context.truncated'>['messages']
  request?: RequestState
  /** Attempts that failed and were made again, in order. */
  retries: { attempt: number; code: string; reason: string; waitMs: number; at: number }[]
  /** True once an empty answer has been asked for again. */
  nudged: boolean
  /** Live only: what the stream has said so far; emptied when the answer is complete. */
  live: { text: string; reasoning: string; firstAt: number | null }
  /** Parts sealed before the answer was complete (on_stream). */
  sealed: Part[]
  /** How long calls ran while the answer still came, in milliseconds; absent when none did. */
  savedMs?: number
  /** What the protocol mended or left out while reading the answer, in words. */
  warnings?: readonly string[]
  /** The complete answer. */
  parts?: readonly Part[]
  finishReason?: EventOf<'model.answered'>['finishReason']
  fault?: RunError
  /** A person wrote the answer, in a fork. */
  edited?: boolean
  answeredAt?: number
  modelMs?: number
  firstTokenMs?: number | null
  usage: Usage
  /** Null while no price is known. */
  costUsd: number | null
  /** In the order the model asked. */
  calls: CallState[]
  /** What its last finishing call gave as the run's answer. */
  final?: FinalAnswer
  /** That call. */
  finalOf?: string
  /** What the model was told before it, since its last words did not end the run. */
  readonly said?: string
  /** What steps before it have said of its answer: its own words go on where these end. */
  readonly before?: string
  /** How many of them have no result yet. */
  open: number
  /** How many of them wait for a person. */
  waiting: number
  /** How many of them have begun, by tool. */
  toolCounts: Map<string, number>
  /** Hooks asked before and after its answer, in order. */
  hooks?: HookCalled[]
  finishedAt?: number
  durationMs?: number
}

/**
 * A run so far. `seq` counts the events folded and changes with each: readers subscribe to it,
 * since the fold may change the rest in place.
 */
export interface RunState {
  readonly start: RunStart
  seq: number
  status: 'new' | RunStatus
  queuedAt?: number
  startedAt?: number
  finishedAt?: number
  lastAt: number
  model?: EventOf<'run.started'>['model']
  protocol?: EventOf<'run.started'>['protocol']
  tools?: EventOf<'run.started'>['tools']
  /** This run's own dialogue, the question first; complete calls only. What the model sees is a pure projection of it. */
  messages: Message[]
  steps: StepState[]
  /** Every call by id, so that nothing is looked for twice. */
  calls: Map<string, CallState>
  toolCounts: Map<string, number>
  /** How often each call, by tool and arguments, did not end well. */
  failures: Map<string, number>
  /** Why nothing more may be used up; null while something is left. */
  overBudget: string | null
  /** Confirmations given for the whole run, by `grantKey`. */
  granted: Set<string>
  /** Milliseconds in which a person was waited for, or the server did not run; they count in no budget. */
  waitedMs: number
  /** Since when one is waited for now. */
  waitingSince: number | null
  /** Hooks asked before and after all its steps, in order. */
  hooks?: HookCalled[]
  /** Why a hook has ended the run. */
  halted?: RunError
  artifacts: Artifact[]
  plan?: Plan
  /** Groups switched on in the run; absent until it changes them. */
  groups?: readonly string[]
  /** What was taken over from there is the dialogue's and uses nothing up: not tokens, money, time nor calls. */
  forkedFrom?: EventOf<'run.started'>['forkedFrom']
  usage: Usage
  /** Why the closing answer was asked for; null when it was not. */
  summarizing: string | null
  /** Recoveries since a step was finished, drains not counted. */
  crashes: number
  resumes: number
  answer: string | null
  /** The answer as JSON that fits the output schema. */
  output?: JsonValue
  costUsd: number | null
  error: RunError | null
}
