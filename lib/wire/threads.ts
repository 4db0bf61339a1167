/** Threads on the wire: dialogues of many runs with one agent. */
import { z } from 'zod'
import { runSummary } from './runs'

const ms = z.int().nonnegative()

/** `test`: begun in the builder, to try the agent. */
export const threadPurpose = z.literal('test')

export const threadSummary = z.strictObject({
  id: z.string(),
  agentId: z.string(),
  title: z.string(),
  createdAt: ms,
  updatedAt: ms,
  /** Absent for every thread but a test. */
  purpose: threadPurpose.optional(),
})
export type ThreadSummary = z.infer<typeof threadSummary>

/** A thread with its runs, oldest first. */
export const threadView = threadSummary.extend({ runs: z.array(runSummary) })
export type ThreadView = z.infer<typeof threadView>

export const threadList = z.strictObject({ items: z.array(threadSummary), next: z.string().optional() })
export type ThreadList = z.infer<typeof threadList>

export const threadQuery = z.strictObject({
  agent: z.string().min(1).max(64).optional(),
  /** `test`: only tests; `other`: all but tests; without it, all threads. */
  purpose: z.enum(['test', 'other']).optional(),
  cursor: z.string().min(1).max(256).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
})
export type ThreadQuery = z.infer<typeof threadQuery>

export const renameThread = z.strictObject({ title: z.string().trim().min(1).max(200) })
export type RenameThread = z.infer<typeof renameThread>

/** Creates an empty thread; a run without a thread creates its own. */
export const createThread = z.strictObject({
  agentId: z.string().min(1).max(64),
  title: z.string().max(200).optional(),
  purpose: threadPurpose.optional(),
})
export type CreateThread = z.infer<typeof createThread>
