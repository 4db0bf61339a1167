/** Runs on the wire: requests that start one, and the shape of a run. */
import { z } from 'zod'
import { artifact } from '#lib/spec/artifact'
import { agentRef, forkPoint, runError, runEvent, runStatus, toolCount, usage } from '#lib/spec/event'
import { feedback, rating } from '#lib/spec/feedback'
import { inputQuestion, inputReply } from '#lib/spec/input'
import { jsonObject, jsonValue } from '#lib/spec/json'
import { invalidCall, part } from '#lib/spec/message'
import { mockedTool } from '#lib/spec/mock'
import { userKey } from '#lib/spec/recall'
import { runSort } from '#lib/spec/run-sort'
import { origins } from './compile'
import { givenHistory, message } from './messages'

const ms = z.int().nonnegative()

function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

/** Replaces parts of the agent's config for one run. `model` is the whole model entry. */
export const overrides = z.strictObject({
  model: jsonObject.optional(),
  instructions: z.string().max(262_144).optional(),
  maxSteps: z.int().positive().max(1_000).optional(),
  temperature: z.number().min(0).max(2).optional(),
})
export type Overrides = z.infer<typeof overrides>

/**
 * An unpaired surrogate would change on disk and on the wire: it becomes U+FFFD before anything is stored.
 */
const words = z.string().max(262_144).overwrite(wellFormed)
const question = words.refine((text) => text.trim() !== '', 'This must not be empty')

export const createRun = z.strictObject({
  input: question,
  /** A thread of the same agent; without it the run begins a new thread. */
  threadId: z.string().min(1).max(64).optional(),
  /** The purpose of the thread that it begins. */
  purpose: z.literal('test').optional(),
  /** The ids of artifacts uploaded to the thread; `threadId` is then required. */
  files: z.array(z.string().min(1).max(64)).max(20).optional(),
  version: z.union([z.int().positive(), z.literal('draft')]).optional(),
  overrides: overrides.optional(),
  /** False: a run of the draft without its mocks. Runs of published versions have none. */
  mocks: z.boolean().optional(),
  /**
   * What happens if a run of the thread is under way: `refuse` (the default) answers 409, `queue` lets this run
   * wait until it has ended, and `steer` gives the words of `input` to that run, which reads them at its next
   * step.
   */
  whenBusy: z.enum(['refuse', 'queue', 'steer']).optional(),
  /** The dialogue before the question, for a run that begins a new thread. */
  history: givenHistory.optional(),
  /** The thread's last run, whose question is asked again: the dialogue continues from the new answer. */
  replaces: z.string().min(1).max(64).optional(),
  /** On whose behalf the agent runs: its memory is kept for each user. Without it, for each thread. */
  user: userKey.optional(),
})
export type CreateRun = z.infer<typeof createRun>

export const createdRun = z.strictObject({
  id: z.string(),
  threadId: z.string(),
  status: runStatus,
  /** It waits until the runs before it in its thread have ended; absent otherwise. */
  behind: z.literal(true).optional(),
})
export type CreatedRun = z.infer<typeof createdRun>

/** The run that was given the words. */
export const steeredRun = createdRun.extend({ steered: z.literal(true) })
export type SteeredRun = z.infer<typeof steeredRun>

const [textPart, reasoningPart, , opaquePart] = part.options
/**
 * Parts of a stored answer may be sent back unchanged: ids are generated anew, and arguments may be in `args`
 * or, as text, in `rawArgs`.
 */
const givenPart = z.discriminatedUnion('type', [
  textPart,
  reasoningPart,
  z.strictObject({
    type: z.literal('call'),
    name: z.string().min(1).max(200),
    args: jsonObject.optional(),
    rawArgs: words.optional(),
    id: z.string().optional(),
    wireId: z.string().optional(),
    invalid: invalidCall.optional(),
  }),
  opaquePart,
])

const callId = z.string().min(1).max(200)
/** What to change at the step: the question, the reply, a call's arguments, or its result. */
export const forkEdit = z.union([
  z.strictObject({ prompt: question }),
  z.strictObject({ reply: z.array(givenPart).min(1).max(200) }),
  z.strictObject({ callId, args: jsonObject }),
  z.strictObject({ callId, result: words }),
])
export type ForkEditBody = z.infer<typeof forkEdit>

/**
 * Without an edit, the step is sent to the model again. The fork has the config of its run, or the agent's
 * draft as it is now, with the given overrides.
 */
export const forkRun = z.strictObject({
  step: z.int().positive().max(1_000_000),
  /**
   * For a step of a run inside a call: the ids of the calls around it, joined by `/`. The calls go on in the fork, and
   * overrides are for the agent of that run.
   */
  parent: callId.optional(),
  edit: forkEdit.optional(),
  /** In place of an edit: replaces the summary of earlier steps in the request of the step. */
  summary: question.optional(),
  version: z.literal('draft').optional(),
  overrides: overrides.optional(),
})
export type ForkRun = z.infer<typeof forkRun>

/** A person's decision on a call that waits for it. */
export const decideCall = z.strictObject({
  decision: z.enum(['approve', 'reject']),
  /** `run`: the same policies do not ask again for this tool in this run. */
  scope: z.enum(['call', 'run']).optional(),
  /** Sent to the model if the call is rejected. */
  reason: z.string().max(2_000).optional(),
  /** Arguments that replace the model's. */
  args: jsonObject.optional(),
})
export type DecideCall = z.infer<typeof decideCall>

/**
 * A person's reply to a question of a call. Without `action` it is an answer: `text`, or `values` where the
 * question has a form. With `decline` and `cancel`, `text` may say why.
 */
export const giveReply = inputReply.extend({
  /** Which question of the call is meant; needed only when several are open. */
  inputId: z.string().min(1).max(250).optional(),
  action: inputReply.shape.action.optional(),
})
export type GiveReply = z.infer<typeof giveReply>

/** A call that waits for a person. `input` is the question, for the kind `input`. */
export const pending = z.strictObject({
  callId: z.string(),
  kind: z.enum(['approval', 'reply', 'input']),
  tool: z.string(),
  args: jsonObject,
  expiresAt: ms.nullable(),
  input: inputQuestion.optional(),
})

/** A run in lists. Times are milliseconds since 1970. */
export const runSummary = z.strictObject({
  id: z.string(),
  agentId: z.string(),
  agent: agentRef,
  threadId: z.string(),
  status: runStatus,
  input: z.string(),
  answer: z.string().nullable(),
  output: jsonValue.nullable(),
  error: runError.nullable(),
  usage,
  costUsd: z.number().nullable(),
  steps: ms,
  toolCalls: z.array(toolCount),
  pending: z.array(pending),
  /** The run whose question this run asks again; null if the question is new. */
  replaces: z.string().nullable(),
  /** Files attached to the question, each as it was then; absent if there are none. */
  files: z.array(artifact).optional(),
  /** The run and the step that this run was forked from. */
  forkedFrom: forkPoint.nullable(),
  /** The tools whose calls a mock answers; absent if there are none. */
  mocked: z.array(mockedTool).optional(),
  /** It waits until the runs before it in its thread have ended; absent otherwise. */
  behind: z.literal(true).optional(),
  /** Calls that failed, if the list was asked for them; absent if there are none, and until the run has ended. */
  failedCalls: z.int().positive().optional(),
  /** What a person said about the answer; absent if nobody did. */
  feedback: feedback.optional(),
  startedAt: ms.nullable(),
  finishedAt: ms.nullable(),
  seq: ms,
})
export type RunSummary = z.infer<typeof runSummary>

/** Words that a person gave to a run while it was under way. */
export const steeredWords = z.strictObject({
  text: z.string(),
  /** The step that was the first to read them; null if none has. */
  step: z.int().positive().nullable(),
})
export type SteeredWords = z.infer<typeof steeredWords>

/** One run, with the config and origins it started from. */
export const runView = runSummary.extend({
  config: jsonObject,
  origins,
  /** The files it made, in order, each as it was when its call ended. */
  artifacts: z.array(artifact),
  /** What a person said to it while it was under way, in order; absent if nothing was. */
  steered: z.array(steeredWords).optional(),
  /** How many runs begin before it; only while it is queued. */
  ahead: z.int().nonnegative().optional(),
  /** Its question, answers, calls and results, if they were asked for. */
  messages: z.array(message).optional(),
})
export type RunView = z.infer<typeof runView>

export const runViewQuery = z.strictObject({
  /** `1`: with the messages of the run. */
  messages: z.enum(['1']).optional(),
})

/**
 * `total` counts every run that matches the filter, on every page of the list. `indexing` is present while
 * runs of an older version are not yet in the index: until then, searches and figures leave them out.
 */
export const runList = z.strictObject({
  items: z.array(runSummary),
  total: z.int().nonnegative(),
  next: z.string().optional(),
  indexing: z.strictObject({ done: ms, total: ms }).optional(),
})
export type RunList = z.infer<typeof runList>

/** A run in a tree of forks. */
export const branch = runSummary
  .pick({
    id: true,
    threadId: true,
    status: true,
    input: true,
    answer: true,
    forkedFrom: true,
    startedAt: true,
  })
  .extend({ createdAt: ms })
export type Branch = z.infer<typeof branch>

/** The whole tree of a run, oldest first; `truncated` if the tree is larger than the list. */
export const branchList = z.strictObject({ items: z.array(branch), truncated: z.boolean() })
export type BranchList = z.infer<typeof branchList>

export const runQuery = z.strictObject({
  agent: z.string().min(1).max(64).optional(),
  status: runStatus.optional(),
  thread: z.string().min(1).max(64).optional(),
  cursor: z.string().min(1).max(256).optional(),
  /**
   * Words and quoted phrases, which must all occur in the question, the answer, the error or the name of a
   * tool.
   */
  search: z.string().min(1).max(200).optional(),
  /** `provider/name`. */
  model: z.string().min(1).max(300).optional(),
  /** Runs that called this tool. */
  tool: z.string().min(1).max(200).optional(),
  feedback: z.enum([...rating.options, 'any']).optional(),
  /** `1`: runs with failed calls. */
  failed: z.enum(['1']).optional(),
  /** In US dollars, inclusive. */
  costFrom: z.coerce.number().nonnegative().optional(),
  costTo: z.coerce.number().nonnegative().optional(),
  /** Milliseconds since 1970: runs created from `since` on, and before `until`. */
  since: z.coerce.number().int().nonnegative().optional(),
  until: z.coerce.number().int().nonnegative().optional(),
  sort: runSort.optional(),
  /** `failures`: each item says how many of its calls failed. */
  with: z.enum(['failures']).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
})
export type RunQuery = z.infer<typeof runQuery>

/** The models and tools that occur in runs, by which a list can be filtered. */
export const runChoices = z.strictObject({ models: z.array(z.string()), tools: z.array(z.string()) })
export type RunChoices = z.infer<typeof runChoices>

/** Up to 200 runs. */
export const manyRuns = z.strictObject({ ids: z.array(z.string().min(1).max(64)).min(1).max(200) })
export type ManyRuns = z.infer<typeof manyRuns>

/** Runs that are not finished cannot be deleted, and stay. */
export const deletedRuns = z.strictObject({ deleted: z.array(z.string()), unfinished: z.array(z.string()) })
export type DeletedRuns = z.infer<typeof deletedRuns>

/** The runs that were still there. */
export const restoredRuns = z.strictObject({ restored: z.array(z.string()) })
export type RestoredRuns = z.infer<typeof restoredRuns>

export const giveFeedback = feedback.extend({ text: words.max(2_000).optional() })
export type GiveFeedback = z.infer<typeof giveFeedback>

export const eventList = z.strictObject({ items: z.array(runEvent) })
export type EventList = z.infer<typeof eventList>

export const stepQuery = z.strictObject({
  /** For a step of a run inside a call: the ids of the calls around it, joined by `~` or `/`. */
  parent: callId.optional(),
})

/** The model request of a step; `exact` if its bytes have the hash in `model.requested`. */
export const stepRequest = z.strictObject({
  request: jsonValue,
  exact: z.boolean(),
  /** What it is made of, in tokens by our own estimate; read them as shares of the whole, not as a bill. */
  context: z.strictObject({
    /** The instructions, without the texts of MCP servers and the list of skills. */
    system: z.int().nonnegative(),
    /** Texts of MCP servers in the instructions; absent when there are none. */
    servers: z.int().nonnegative().optional(),
    /** The list of skills in the instructions; absent when there are none. */
    skills: z.int().nonnegative().optional(),
    tools: z.int().nonnegative(),
    /** Questions and answers of this run and of the thread before it. */
    history: z.int().nonnegative(),
    observations: z.int().nonnegative(),
    /** The model's context window; null if it is not known. */
    window: z.int().positive().nullable(),
  }),
  /**
   * The address and headers, for a copy as curl: a key is replaced by the name of a shell variable. Null if
   * nothing is sent over the network.
   */
  http: z.strictObject({ url: z.string(), headers: z.record(z.string(), z.string()) }).nullable(),
})
export type StepRequest = z.infer<typeof stepRequest>
