/** What the events of a run are made of: the keys that all of them have, and the values that several share. */
import { z } from 'zod'
import { jsonValue } from './json'

const base = {
  /** 1, 2, 3 … in a run. */
  seq: z.int().positive(),
  /** Milliseconds since 1970. */
  at: z.int().nonnegative(),
  /** 0 before the first step. */
  step: z.int().nonnegative(),
  /**
   * The call that it belongs to, when it comes from a run inside that call. For a run inside such a run: the
   * ids of the calls from the outermost to the innermost, joined by `/`.
   */
  parent: z.string().optional(),
}

export function event<T extends string, S extends z.ZodRawShape>(type: T, payload: S) {
  return z.strictObject({ type: z.literal(type), ...base, ...payload })
}

export const usage = z.strictObject({
  input: z.int().nonnegative(),
  output: z.int().nonnegative(),
  reasoning: z.int().nonnegative().optional(),
  cached: z.int().nonnegative().optional(),
  /** Input that the provider wrote to its cache. */
  cacheWritten: z.int().nonnegative().optional(),
  estimated: z.boolean().optional(),
})

export const agentRef = z.strictObject({
  /** Null when the config came from a file. */
  id: z.string().nullable(),
  name: z.string(),
  version: z.union([z.int().positive(), z.literal('draft')]),
  configHash: z.string(),
})
export type AgentRef = z.infer<typeof agentRef>

export const callStatus = z.enum(['ok', 'error', 'denied', 'skipped', 'interrupted', 'timeout', 'unknown'])
export type CallStatus = z.infer<typeof callStatus>

/**
 * The code of a call that ran, but whose result a hook kept from the model. Its status is `error`, since
 * `denied` calls do not run.
 */
export const withheldCode = 'withheld'

export const runEnding = z.enum(['completed', 'max_steps', 'budget', 'cancelled', 'failed', 'interrupted'])
export type RunEnding = z.infer<typeof runEnding>

/** A run's status, stored and shown. */
export const runStatus = z.enum(['queued', 'running', 'waiting', ...runEnding.options])
export type RunStatus = z.infer<typeof runStatus>

export const runError = z.strictObject({ code: z.string(), message: z.string() })
export type RunError = z.infer<typeof runError>

export const resumeReason = z.enum(['crash', 'drain'])
export type ResumeReason = z.infer<typeof resumeReason>

/** How many calls of a tool have begun in a run. */
export const toolCount = z.strictObject({
  name: z.string(),
  count: z.int().positive(),
  /** The tool's name before its entry renamed it; absent when it has its own name. */
  scopeName: z.string().optional(),
})
export type ToolCount = z.infer<typeof toolCount>

export const finalAnswer = z.strictObject({ answer: z.string(), output: jsonValue.optional() })
export type FinalAnswer = z.infer<typeof finalAnswer>

/** What a call waits for in a line, and how many calls are ahead of it. */
export const callWait = z.strictObject({
  /** A place among all calls at work on the server, or a free sandbox process. */
  for: z.enum(['place', 'sandbox']),
  ahead: z.int().nonnegative(),
})
export type CallWait = z.infer<typeof callWait>

/** `clear` takes out results, `summarize` replaces whole steps, and `both` does one after the other. */
export const compaction = z.enum(['clear', 'summarize', 'both'])
export type Compaction = z.infer<typeof compaction>

/** What came into a thread before this run: tools that earlier runs used, and whether a person gave files. */
export const earlier = z.strictObject({ tools: z.array(z.string()), files: z.boolean() })
export type Earlier = z.infer<typeof earlier>
