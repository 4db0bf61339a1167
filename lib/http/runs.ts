/** Runs on the wire: what starts one, and how one looks. */
import { z } from 'zod'
import { artifact } from '#lib/spec/artifact'
import { agentRef, runError, runEvent, runStatus, usage } from '#lib/spec/event'
import { jsonObject, jsonValue } from '#lib/spec/json'
import { origins } from './compile'

const ms = z.int().nonnegative()

function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

/** Replaces parts of the agent's config for one run. `model` is the whole model entry. */
export const overrides = z.strictObject({
  model: jsonObject.optional(),
  maxSteps: z.int().positive().max(1_000).optional(),
  temperature: z.number().min(0).max(2).optional(),
})
export type Overrides = z.infer<typeof overrides>

export const createRun = z.strictObject({
  /** Half a character would be another one on disk and on the wire: it becomes U+FFFD before anything is stored. */
  input: z
    .string()
    .max(262_144)
    .overwrite(wellFormed)
    .refine((text) => text.trim() !== '', 'This must not be empty'),
  /** A thread of the same agent; without it the run begins a new one. */
  threadId: z.string().min(1).max(64).optional(),
  /** Ids of artifacts uploaded to the thread, which must then be named. */
  files: z.array(z.string().min(1).max(64)).max(20).optional(),
  version: z.union([z.int().positive(), z.literal('draft')]).optional(),
  overrides: overrides.optional(),
})
export type CreateRun = z.infer<typeof createRun>

export const createdRun = z.strictObject({ id: z.string(), threadId: z.string(), status: runStatus })
export type CreatedRun = z.infer<typeof createdRun>

/** Something a person is waited for. */
export const pending = z.strictObject({
  callId: z.string(),
  kind: z.enum(['approval', 'reply']),
  tool: z.string(),
  args: jsonObject,
  expiresAt: ms.nullable(),
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
  toolCalls: z.array(z.strictObject({ name: z.string(), count: z.int().positive() })),
  pending: z.array(pending),
  forkedFrom: z.strictObject({ runId: z.string(), step: ms }).nullable(),
  startedAt: ms.nullable(),
  finishedAt: ms.nullable(),
  seq: ms,
})
export type RunSummary = z.infer<typeof runSummary>

/** One run, with the config and origins it started from. */
export const runView = runSummary.extend({
  config: jsonObject,
  origins,
  /** Files it made, in that order, each as it was when its call ended. */
  artifacts: z.array(artifact),
})
export type RunView = z.infer<typeof runView>

export const runList = z.strictObject({ items: z.array(runSummary), next: z.string().optional() })
export type RunList = z.infer<typeof runList>

export const runQuery = z.strictObject({
  agent: z.string().min(1).max(64).optional(),
  status: runStatus.optional(),
  thread: z.string().min(1).max(64).optional(),
  cursor: z.string().min(1).max(256).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
})
export type RunQuery = z.infer<typeof runQuery>

export const eventList = z.strictObject({ items: z.array(runEvent) })
export type EventList = z.infer<typeof eventList>

/** The model request of a step; `exact` when its bytes have the hash that `model.requested` told. */
export const stepRequest = z.strictObject({ request: jsonValue, exact: z.boolean() })
export type StepRequest = z.infer<typeof stepRequest>
