/** Every event of a run, named `noun.past-verb`, as one closed union: on disk exactly as clients see them. */
import { z } from 'zod'
import { artifact } from './artifact'
import { finishedCompletion } from './completion'
import {
  agentRef,
  callStatus,
  callWait,
  compaction,
  earlier,
  event,
  finalAnswer,
  resumeReason,
  runEnding,
  runError,
  toolCount,
  usage,
} from './event-shapes'
import { forkPoint } from './fork-point'
import { hookChange, hookMoment } from './hook'
import { givenInput, requestedInput } from './input'
import { jsonObject, jsonValue } from './json'
import { block, part } from './message'
import { mockedTool, mockKind } from './mock'
import { offeredTool, toolDefinition, withheldBy, withheldTool } from './offered-tool'
import { assignedPersonas } from './persona'
import { storedPlan } from './plan'
import { recordedMemory, retrievedKnowledge, retrievedMemory } from './recall'
import { serverText } from './server-text'
import { skillLine } from './skill'

export {
  type AgentRef,
  agentRef,
  type CallStatus,
  type CallWait,
  type Compaction,
  callStatus,
  callWait,
  compaction,
  type Earlier,
  earlier,
  type FinalAnswer,
  finalAnswer,
  type ResumeReason,
  type RunEnding,
  type RunError,
  type RunStatus,
  resumeReason,
  runEnding,
  runError,
  runStatus,
  type ToolCount,
  toolCount,
  usage,
  withheldCode,
} from './event-shapes'
export { type ForkChange, type ForkEdit, type ForkPoint, forkPoint } from './fork-point'

const decision = z.enum(['approve', 'reject'])
const ids = { callId: z.string() }
const begin = {
  agent: agentRef,
  input: z.string(),
  threadId: z.string().nullable(),
  /** Files that a person gave with the question; each is in the workspace under its `path`. */
  files: z.array(artifact).optional(),
}
const ms = z.int().nonnegative()
const argsInstead = { args: jsonObject.optional(), redacted: z.literal(true).optional() }

export const runEvent = z.discriminatedUnion('type', [
  /**
   * `earlier` is absent in the first run of a thread. `groups` are the active groups of the thread; absent
   * when no run of it has changed them. `plan` is the plan that the run before left unfinished. `mocks` are the
   * tools whose calls are answered by a mock.
   */
  event('run.queued', {
    ...begin,
    earlier: earlier.optional(),
    groups: z.array(z.string()).optional(),
    plan: storedPlan.optional(),
    mocks: z.array(mockedTool).optional(),
  }),
  event('run.started', {
    ...begin,
    /** The last run of the thread whose dialogue this run includes; null when it includes none. */
    historyThrough: z.string().nullable(),
    forkedFrom: forkPoint
      .extend({
        /**
         * The events that follow are copied. For each run they come from, oldest first: its last event here,
         * and how long they took there.
         */
        copied: z.array(z.strictObject({ through: z.int().positive(), ms })).optional(),
        /** When the copied dialogue began. Instructions that contain `{{date}}` use this day. */
        startedAt: ms.optional(),
      })
      .optional(),
    model: z.strictObject({ provider: z.string(), name: z.string() }),
    protocol: z.strictObject({ format: z.string(), resultPlacement: z.string() }),
    tools: z.strictObject({
      /** The first set; `tools.changed` has what changes later. */
      offered: z.array(offeredTool.extend({ definition: toolDefinition.optional() })),
      withheld: z.array(withheldTool),
    }),
    /** Texts of MCP servers that the config asks for, as they were then; absent when it asks for none. */
    serverTexts: z.array(serverText).optional(),
    /** The skills that the model is told of, as they were then; absent without any. */
    skills: z.array(skillLine).optional(),
  }),
  /**
   * A person's message to the run while it was under way. The next step takes it over as a message of the
   * user; a run that ends first leaves it unread.
   */
  event('run.steered', { text: z.string() }),
  event('run.resumed', {
    reason: resumeReason,
    attempt: z.int().positive(),
    /** Milliseconds since the last event that do not count as the run's own; absent when all of them do. */
    awayMs: ms.optional(),
  }),

  event('step.started', {
    maxSteps: z.int().positive(),
    /** The message to the model before this step, sent because its last text did not end the run. */
    said: z.string().optional(),
    /** The last text was cut off, and this step continues it. */
    continues: z.literal(true).optional(),
  }),
  event('model.requested', {
    attempt: z.int().positive(),
    counts: z.strictObject({ messages: ms, tools: ms }),
    tools: z.array(z.strictObject({ name: z.string(), wireName: z.string(), hash: z.string() })),
    bytes: ms,
    hash: z.string(),
    /** The key by which the provider was asked to cache the request; absent when it was not asked. */
    cacheKey: z.string().optional(),
  }),
  /** The attempt failed and its deltas are void. After the wait the model is asked again. */
  event('model.retried', {
    attempt: z.int().positive(),
    code: z.string(),
    reason: z.string(),
    waitMs: ms,
    /** The attempt's usage, if an answer had begun. */
    usage: usage.optional(),
    costUsd: z.number().nonnegative().nullable().optional(),
    savedUsd: z.number().optional(),
  }),
  /** What the protocol repaired in the answer or left out while reading it, in words. */
  event('protocol.warned', { warnings: z.array(z.string()).min(1) }),
  event('context.truncated', { messages: z.strictObject({ kept: ms, dropped: ms }) }),
  /**
   * The run's own dialogue was cut to fit the model's context window. From this request on, `summary` replaces
   * the messages of the steps `from` to `to`, and a line replaces each result of `calls` in all other steps.
   */
  event('context.compacted', {
    how: compaction,
    /** The first and the last step whose messages changed. */
    from: z.int().positive(),
    to: z.int().positive(),
    calls: z.array(z.string()),
    /** Of the whole request, by our estimate, corrected by what the provider counted before. */
    tokensBefore: ms,
    tokensAfter: ms,
    /** Written by the model, by a person in a fork (`edited`), or a list of the calls that are left out. */
    summary: z.string().optional(),
    /** Asked for the summary, where it is not the run's own. */
    model: z.strictObject({ provider: z.string(), name: z.string() }).optional(),
    usage: usage.optional(),
    costUsd: z.number().nonnegative().nullable().optional(),
    /** Why the model wrote no summary although it was asked. */
    failed: z.string().optional(),
    edited: z.literal(true).optional(),
  }),
  event('reasoning.delta', { text: z.string() }),
  event('text.delta', { text: z.string() }),
  event('call.delta', { ...ids, name: z.string(), argsText: z.string() }),
  event('call.sealed', { parts: z.array(part) }),
  event('model.answered', {
    parts: z.array(part),
    usage,
    finishReason: z.enum(['stop', 'calls', 'length', 'filter', 'cut', 'cancelled', 'fault']),
    durationMs: ms,
    /** From the request to the first chunk; null when none came. */
    firstTokenMs: ms.nullable(),
    /** At the price known then; null when no price was known. */
    costUsd: z.number().nonnegative().nullable().optional(),
    /**
     * How much less that is than without the provider's cache; below 0 where writing to it cost more than reading
     * saved. Absent when the cache made no difference or no price was known.
     */
    savedUsd: z.number().optional(),
    /** The model's failure, if any: the run ends with it. */
    fault: runError.optional(),
    /** What a person wrote in a fork: the whole answer, or the arguments of these calls. */
    edited: z.union([z.literal('all'), z.array(z.string())]).optional(),
  }),

  event('policy.ruled', {
    policy: z.string(),
    /** The policy's entry: `policies/3`. */
    node: z.string(),
    tool: z.string(),
    ...ids,
    verdict: z.enum(['deny', 'confirm', 'limit']),
    reason: z.string(),
    /** The limit ends the run. */
    ends: z.literal('budget').optional(),
  }),
  /** A hook was asked. Its answer is recorded here, so that it is never asked the same again. */
  event('hook.called', {
    /** The policy's entry: `policies/3`. */
    node: z.string(),
    on: hookMoment,
    /** The call, for hooks before or after one. */
    callId: z.string().optional(),
    decision: z.enum(['continue', 'deny']),
    reason: z.string().optional(),
    durationMs: ms,
    /** Why the hook failed. The decision is then the one that its entry sets for failures. */
    error: z.string().optional(),
    changed: hookChange.optional(),
    /** A note from the hook to the model. */
    note: z.string().optional(),
  }),
  event('approval.requested', {
    ...ids,
    tool: z.string(),
    persona: z.string().optional(),
    args: jsonObject,
    /** Null when the person has no time limit. */
    expiresAt: ms.nullable(),
    /** The decision when nobody has decided by then; the default is `reject`. */
    onTimeout: decision.optional(),
  }),
  event('approval.decided', {
    ...ids,
    decision,
    /** `run`: for the rest of the run, the same policies do not ask about this tool for the same reasons. */
    scope: z.enum(['call', 'run']),
    by: z.enum(['person', 'timeout', 'cancel']),
    reason: z.string().optional(),
    ...argsInstead,
  }),
  event('call.started', {
    ...ids,
    name: z.string(),
    args: jsonObject,
    source: z.string(),
    node: z.string(),
    /** The tool's name before its entry renamed it; absent when it has its own name. */
    scopeName: z.string().optional(),
    /** Who makes the call, as people read it. */
    persona: z.string().optional(),
    /** The call runs in the background: what the model reads as its result until it has ended. */
    background: z.string().optional(),
    /** A mock answers the call in place of the tool, in this way. */
    mock: mockKind.optional(),
  }),
  event('call.progressed', {
    ...ids,
    text: z.string().optional(),
    blocks: z.array(block).optional(),
    /** The call waits in a line, before it begins or while it runs; null when that wait is over. */
    wait: callWait.nullable().optional(),
  }),
  /** A call asks a person something, and the reply to it, or why there is none. */
  event('input.requested', requestedInput),
  event('input.given', givenInput),
  /** The body of the call runs again, with the replies to all questions of this round. */
  event('call.continued', { ...ids, round: z.int().positive() }),
  /** The run inside the call only waits for people. The call goes on once one of them has answered. */
  event('call.rested', { ...ids }),
  event('artifact.created', { ...ids, artifact }),
  /** The body of a call asked a model. */
  event('completion.finished', finishedCompletion),
  event('call.finished', {
    ...ids,
    name: z.string(),
    /** The tool's entry; null when no such tool is offered. */
    node: z.string().nullable(),
    status: callStatus,
    code: z.string().nullable(),
    /** `text` is the observation as the model reads it: blocks as text, cut to the results policy. */
    result: z.strictObject({ blocks: z.array(block), text: z.string() }),
    durationMs: ms,
    /** Time in lines, not part of the duration; absent when there was none. */
    waitedMs: ms.optional(),
    attempts: z.int().nonnegative(),
    persona: z.string().optional(),
    /** The result is copied from an equal earlier call. */
    cached: z.literal(true).optional(),
    /** The artifact with the whole observation, when it was too long for the model. */
    artifact: z.string().optional(),
    /** Details of the tool's work, never sent to the model; and its note to the model, for the next request alone. */
    metadata: jsonObject.optional(),
    note: z.string().optional(),
    /** The run's answer, when this call ends it. */
    final: finalAnswer.optional(),
    /** The earlier finishing call of this step, whose answer this one replaces. */
    replaces: z.string().optional(),
    /** A person wrote the result, in a fork. */
    edited: z.literal(true).optional(),
  }),

  /** The plan as it is from now on: changed by the call, or by a person. */
  event('plan.updated', {
    plan: storedPlan,
    callId: z.string().optional(),
    by: z.literal('person').optional(),
  }),
  /** What the run was given from memory or knowledge, at its start or by a call; and what its agent remembers of it. */
  event('memory.retrieved', retrievedMemory),
  event('knowledge.retrieved', retrievedKnowledge),
  event('memory.recorded', recordedMemory),
  /** What the model called the tools for this task. */
  event('personas.assigned', assignedPersonas),
  /** Names of the groups whose tools are offered from the next step on, and the call that switched them. */
  event('groups.changed', { active: z.array(z.string()), callId: z.string().optional() }),
  /** Tools that the policy `discovery` held back and a call found: they are offered from the next step on. */
  event('tools.found', { names: z.array(z.string()), callId: z.string() }),
  /** The tools offered from the next step on differ from those before. */
  event('tools.changed', {
    /** In the order in which they are appended to the list. */
    added: z.array(offeredTool.extend({ definition: toolDefinition.optional() })),
    /** `withheld` is absent when the tool no longer exists. */
    removed: z.array(z.strictObject({ name: z.string(), withheld: withheldBy.optional() })),
    /** Tools that keep their place in the list and have another definition now. */
    changed: z.array(offeredTool.extend({ definition: toolDefinition })),
    /** All that is withheld from then on; absent when `added` and `removed` say what changes of it. */
    withheld: z.array(withheldTool).optional(),
    /** Why, in words for a person. */
    reason: z.string(),
  }),

  event('step.finished', { usage, durationMs: ms }),
  event('run.summarizing', { reason: z.string() }),
  event('run.finished', {
    status: runEnding,
    answer: z.string().nullable(),
    /** The answer as JSON that fits the agent's output schema; absent when the agent has none. */
    output: jsonValue.optional(),
    /** A person cancelled the run, and `answer` ends with this reply of its agent. */
    interrupted: z.strictObject({ reply: z.string() }).optional(),
    usage,
    /** Null when no price is known. */
    costUsd: z.number().nullable(),
    steps: ms,
    toolCalls: z.array(toolCount),
    startedAt: ms,
    finishedAt: ms,
    error: runError.nullable(),
  }),
])
export type RunEvent = z.infer<typeof runEvent>
export type EventType = RunEvent['type']
export type EventOf<T extends EventType> = Extract<RunEvent, { type: T }>

type Unnumbered<E> = E extends RunEvent ? Omit<E, 'seq' | 'at' | 'step'> : never
/** An event before the loop numbers and dates it. */
export type EventBody = Unnumbered<RunEvent>

/** Events that only show early what a later, full event repeats (law 3 in docs/design.md). */
export const isDelta = (event: { type: string }): boolean =>
  event.type.endsWith('.delta') || event.type === 'call.progressed'

/** Whether this is the run's own end, after which nothing follows. */
export const isRunEnd = (event: RunEvent): event is EventOf<'run.finished'> =>
  event.type === 'run.finished' && event.parent === undefined
