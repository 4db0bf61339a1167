/** The state of a run: only a fold of its events, read alike by the loop, replay, trace and canvas. */
import type { Artifact } from './artifact'
import type {
  AgentRef,
  CallStatus,
  CallWait,
  Earlier,
  EventOf,
  FinalAnswer,
  ForkPoint,
  RunError,
  RunStatus,
} from './event'
import type { AskedInput } from './input'
import type { JsonObject, JsonValue } from './json'
import type { Block, InvalidCall, Message, Part } from './message'
import type { MockedTool, MockKind } from './mock'
import type { Usage } from './model'
import type { HeldPlan, Plan } from './plan'
import type { ServerText } from './server-text'
import type { SkillLine } from './skill'

/** What a run starts from. `history` is the thread's dialogue before it. */
export interface RunStart {
  readonly agent: AgentRef
  readonly input: string
  readonly threadId: string | null
  readonly historyThrough: string | null
  readonly history: readonly Message[]
  readonly files?: readonly Artifact[]
  /** What came into the thread before the run, at any time; absent when the thread was empty. */
  readonly earlier?: Earlier
  /** The point from which a fork starts. */
  readonly forkedFrom?: ForkPoint
}

export interface RuledCall {
  readonly policy: string
  readonly node: string
  readonly verdict: EventOf<'policy.ruled'>['verdict']
  readonly reason: string
  readonly ends?: 'budget'
  readonly at: number
}

/** One answer of a hook. */
export type HookCalled = Omit<EventOf<'hook.called'>, 'type' | 'seq' | 'step' | 'parent' | 'callId'>

/** One question of a call to a model. */
export type CompletionState = Omit<
  EventOf<'completion.finished'>,
  'type' | 'seq' | 'step' | 'parent' | 'callId'
>
type WithoutPlace<E> = E extends unknown ? Omit<E, 'seq' | 'step' | 'parent' | 'callId'> : never
/** Something that was read from memory or knowledge, or recorded. */
export type RecallState = WithoutPlace<
  EventOf<'memory.retrieved' | 'knowledge.retrieved' | 'memory.recorded'>
>

/** One call of a step, from its first delta to its one result. */
export interface CallState {
  readonly id: string
  name: string
  /** While streaming only; emptied when the answer is complete. */
  argsText: string
  rawArgs: string
  args?: JsonObject
  invalid?: InvalidCall
  /** Secrets in the model's arguments are replaced; the call runs with the original, which is kept until it ends. */
  redacted?: true
  /**
   * `streaming` while arguments come, `due` once the answer is complete, `waiting` for a person, `running`
   * once its body may have begun. With `startedAt`, `due` means that the body runs again with replies.
   */
  status: 'streaming' | 'due' | 'waiting' | 'running' | CallStatus
  source?: string
  /** The tool's name before its entry renamed it; absent when it has its own name. */
  scopeName?: string
  /** Who makes it, as people read it; absent without a persona. */
  persona?: string
  /** The entry it belongs to. */
  node: string | null
  startedAt?: number
  finishedAt?: number
  /** The number of the event that ended it: calls may end in the same millisecond. */
  endSeq?: number
  durationMs: number
  /** Time in lines, not part of its duration. */
  waitedMs?: number
  attempts: number
  code: string | null
  /** While running only; emptied when the call is finished. */
  progress: { text: string; blocks: readonly Block[] | null }
  /** While waiting only: what it waits for in a line. */
  wait?: CallWait
  result?: { readonly blocks: readonly Block[]; readonly text: string }
  /** It runs in the background: what the model reads as its result until it has ended. */
  background?: string
  /** A mock answers the call in place of the tool. */
  mock?: MockKind
  /** The artifact with the whole observation, when it was too long for the model. */
  artifact?: string
  /** Details of the tool's work; not sent to the model. */
  metadata?: JsonObject
  /** The tool's note to the model, for the next request alone. */
  note?: string
  /** The result is copied from an equal earlier call. */
  cached?: true
  /** A successful call ends the run, so it runs after all others of its step. */
  ends?: true
  /** The argument that holds a document in Markdown, and its other names. */
  draft?: readonly string[]
  /** The later finishing call of this step, whose answer replaces this call's. */
  replacedBy?: string
  /** A fork copied its beginning. */
  begunBefore?: true
  /** A fork copied it with its result and did not run it. */
  copied?: true
  /** What a person wrote of it, in a fork. */
  edited?: 'args' | 'result'
  /** The run inside this call, folded from the events that name the call as their parent. */
  inner?: RunState
  /** What it found in memory or knowledge, and what it recorded. */
  recall?: RecallState[]
  /** The plan as this call left it. */
  plan?: HeldPlan
  /** Files that it made or changed. */
  created: Artifact[]
  /** What its body asked a model, in order. */
  completions?: CompletionState[]
  rulings: RuledCall[]
  /** What a person was asked, and the decision. */
  approval?: Approval
  /** What the call asked a person while it ran, in order, and the replies. */
  inputs?: AskedInput[]
  /** The last round of questions after whose replies its body ran again. */
  continued?: number
  /** Hooks asked before and after it, in order. */
  hooks?: HookCalled[]
  /** How many of these hooks were asked about arguments that a person has changed since. */
  hooksBefore?: number
}

export interface Approval {
  readonly askedAt: number
  /** Null when there is no time limit. */
  readonly expiresAt: number | null
  /** The decision when nobody has decided by then. */
  readonly onTimeout: 'approve' | 'reject'
  readonly args: JsonObject
  decided?: Omit<EventOf<'approval.decided'>, 'type' | 'seq' | 'step' | 'parent' | 'callId'>
}

/** A person's message to a run that was under way. */
export interface Steered {
  readonly text: string
  readonly at: number
}

/** A change of the offered tools, as the trace shows it between two steps. */
export interface ToolChange {
  readonly at: number
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
  readonly reason: string
}

export interface RequestState {
  attempt: number
  at: number
  counts: { messages: number; tools: number }
  tools: EventOf<'model.requested'>['tools']
  bytes: number
  hash: string
  cacheKey?: string
}

/** One cut of the run's own dialogue. */
export type CompactionState = Omit<EventOf<'context.compacted'>, 'type' | 'seq' | 'step' | 'parent'> & {
  /** The attempt that it was made for. */
  readonly attempt: number
  /** The provider had refused the request as too long. */
  readonly refused: boolean
}

export interface StepState {
  readonly number: number
  readonly maxSteps: number
  readonly startedAt: number
  /** A fork copied it: completely, or as far as it had come. */
  copied?: 'whole' | 'begun'
  /** True for the closing answer, requested without tools. */
  readonly summary: boolean
  /** The tools offered in this step. The same object as before the step, unless they changed. */
  readonly tools?: RunState['tools']
  /** How they differ from those of the step before; absent when they do not. */
  readonly toolChanges?: readonly ToolChange[]
  /** How many of the run's messages its request holds; later ones come from this step. */
  readonly messagesBefore: number
  /** The tokens of its request as the provider counted them; absent when it did not. */
  countedTokens?: number
  /** How the dialogue was cut before its requests, in order. */
  compacted?: CompactionState[]
  /** What the window on the dialogue left out. */
  truncated?: EventOf<'context.truncated'>['messages']
  request?: RequestState
  /** Attempts that failed and were repeated, in order. */
  retries: { attempt: number; code: string; reason: string; waitMs: number; at: number }[]
  /** True once an empty answer has been asked for again. */
  nudged: boolean
  /** While streaming only: what has come so far; emptied when the answer is complete. */
  live: { text: string; reasoning: string; firstAt: number | null }
  /** Parts sealed before the answer was complete (on_stream). */
  sealed: Part[]
  /** How long calls ran while the answer still streamed, in milliseconds; absent when none did. */
  savedMs?: number
  /** What the protocol repaired or left out while reading the answer, in words. */
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
  /** What the provider's cache saved; absent while it made no difference or no price is known. */
  savedUsd?: number
  /** In the order in which the model made them. */
  calls: CallState[]
  /** The run's answer, from the last finishing call of this step. */
  final?: FinalAnswer
  /** The id of that call. */
  finalOf?: string
  /** The message to the model before this step, sent because its last text did not end the run. */
  readonly said?: string
  /** Messages of a person that the model reads from this step on, in order. */
  readonly steered?: readonly Steered[]
  /** The plan when the step began. */
  readonly plan?: HeldPlan
  /** When a person changed it since the step before began. */
  readonly planEditedAt?: number
  /** The text of earlier steps that this step's answer continues. */
  readonly before?: string
  /** The calls in the background whose results the model reads from this step on. */
  readonly noted?: readonly CallState[]
  /** How many calls have no result yet. */
  open: number
  /** How many calls have begun, by tool. */
  toolCounts: Map<string, number>
  /** Hooks asked before and after its answer, in order. */
  hooks?: HookCalled[]
  finishedAt?: number
  durationMs?: number
}

/**
 * A run so far. `seq` changes with every folded event. Readers subscribe to it, since the fold may change
 * everything else in place.
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
  /** The tools offered now and withheld now; replaced, never changed in place. */
  tools?: EventOf<'run.started'>['tools']
  /** Changes of the offered tools since the last step began; the next step takes them over. */
  toolChanges: ToolChange[]
  /** What it was given from memory and knowledge before its first step, and what was recorded at its end. */
  recall?: RecallState[]
  /** Texts of MCP servers that the run reads with its instructions; absent without any. */
  serverTexts?: readonly ServerText[]
  /** The skills that the model is told of with its instructions; absent without any. */
  skills?: readonly SkillLine[]
  /**
   * The run's own messages, the question first, with complete calls only. Requests are derived from it alone.
   */
  messages: Message[]
  /** Messages of a person that no step has taken over yet; absent when there are none. */
  steered?: readonly Steered[]
  /** All that a person said to the run, by the step that read it; absent when nothing was said. */
  heard?: { readonly step: number; readonly text: string }[]
  steps: StepState[]
  /** Every call by id, for direct lookup. */
  calls: Map<string, CallState>
  /** Calls in the background whose results the model has not read, in the order in which they began. */
  background?: CallState[]
  toolCounts: Map<string, number>
  /** How often each call failed, by tool and arguments. */
  failures: Map<string, number>
  /** Why the budget is used up; null while something is left. */
  /** The tools that calls of runs inside its calls have begun; absent while there are none. */
  begunInside?: Map<string, { readonly scopeName: string; readonly source: string }>
  overBudget: string | null
  /** Approvals for the whole run, by `grantKey`. */
  granted: Set<string>
  /** Milliseconds spent waiting for a person, or while the server did not run; not part of any budget. */
  waitedMs: number
  /** How many calls wait for a person. */
  waiting: number
  /** Since when the run has been waiting for a person; null when it is not. */
  waitingSince: number | null
  /** Hooks asked before and after all its steps, in order. */
  hooks?: HookCalled[]
  /** Why a hook has ended the run. */
  halted?: RunError
  artifacts: Artifact[]
  /** The file that a call with a document has made last. */
  document?: { readonly artifact: Artifact; readonly callId: string }
  /** True once its own dialogue was cut. */
  isCut?: true
  /** Replaced, never changed in place. */
  plan?: HeldPlan
  /** Plans that others have replaced, oldest first; absent when there are none. */
  pastPlans?: readonly Plan[]
  /** When a person changed the plan since the last step began; absent when nobody has. */
  planEditedAt?: number
  /** What the model called the tools; absent until it was asked. */
  personas?: Readonly<Record<string, string>>
  /** The active groups; absent until a run of the thread has changed them. */
  groups?: readonly string[]
  /** The tools that calls of this run found, the latest last; at most `mostFound`. */
  found?: readonly string[]
  /** The tools whose calls a mock answers; absent when there are none. */
  mocks?: readonly MockedTool[]
  /** The parent of a fork. Copied events belong to the dialogue but use no tokens, money, time or calls. */
  forkedFrom?: EventOf<'run.started'>['forkedFrom']
  usage: Usage
  /** Why the closing answer was requested; null when it was not. */
  summarizing: string | null
  /** Recoveries since the last finished step, not counting drains. */
  crashes: number
  resumes: number
  answer: string | null
  /** The answer as JSON that fits the output schema. */
  output?: JsonValue
  /** A person cancelled the run, and the answer ends with this reply of its agent. */
  interrupted?: EventOf<'run.finished'>['interrupted']
  costUsd: number | null
  /** What the provider's cache saved; absent while it made no difference or no price is known. */
  savedUsd?: number
  error: RunError | null
}
