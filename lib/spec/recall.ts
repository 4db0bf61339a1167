/** What a run reads from memory and from collections of knowledge, and what it leaves in memory. */
import { z } from 'zod'

const ms = z.int().nonnegative()

/** How well something fits a question. `score` ranks; the others say where it comes from. */
export const fit = z.strictObject({
  score: z.number(),
  /** The rank of the words (BM25, higher is better); absent when no word matches. */
  words: z.number().optional(),
  /** The similarity of meaning, from -1 to 1; absent without embeddings. */
  meaning: z.number().optional(),
})
export type Fit = z.infer<typeof fit>

export const memoryHit = fit.extend({
  id: z.string(),
  text: z.string(),
  /** When it was recorded or last changed. */
  at: ms,
})
export type MemoryHit = z.infer<typeof memoryHit>

export const passage = fit.extend({
  collection: z.string(),
  file: z.string(),
  /** Headings from the outermost to the innermost, or a page: `Refunds › After 30 days`, `page 4`. */
  place: z.string(),
  text: z.string(),
})
export type Passage = z.infer<typeof passage>

export const retrievedMemory = {
  /** The entry of the config: `tools/0`. */
  node: z.string(),
  query: z.string(),
  entries: z.array(memoryHit),
  /** Why nothing could be searched. */
  problem: z.string().optional(),
  /** The call that searched; absent for what the run was given at its start. */
  callId: z.string().optional(),
}

export const retrievedKnowledge = {
  node: z.string(),
  query: z.string(),
  passages: z.array(passage),
  problem: z.string().optional(),
  callId: z.string().optional(),
}

export const recordedMemory = {
  node: z.string(),
  /** The agent whose memory it is; null when its config came from a file, and nothing is kept. */
  agent: z.string().nullable(),
  entries: z.array(z.strictObject({ id: z.string(), text: z.string() })),
  /** Why nothing was recorded at the end of the run. */
  skipped: z.string().optional(),
  /** The call that recorded it; absent for the end of the run. */
  callId: z.string().optional(),
}

/** What a call reports of memory and knowledge, next to its result. The loop records it as events. */
export const recallReport = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('memory.retrieved'),
    query: z.string(),
    entries: z.array(memoryHit).max(50),
    problem: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('knowledge.retrieved'),
    query: z.string(),
    passages: z.array(passage).max(50),
    problem: z.string().optional(),
  }),
  z.strictObject({ type: z.literal('memory.recorded'), texts: z.array(z.string()).max(20) }),
])
export type RecallReport = z.infer<typeof recallReport>

/** What the toolkit of an entry finds for a run before its first step. */
export type StartRecall = Exclude<RecallReport, { type: 'memory.recorded' }>

/** The most characters of one entry of a memory. Longer ones are cut. */
export const maxMemoryChars = 2_000

/** The most entries of one memory; the one that was not changed for the longest time gives way. */
export const mostMemories = 10_000

/** The name of a collection, as configs and calls have it. */
export const collectionName = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/, 'lowercase letters, digits, single hyphens and underscores')

/** A person or program on whose behalf an agent runs, named by the caller. */
export const userKey = z
  .string()
  .max(128)
  .refine((text) => text.trim() !== '', 'This must not be empty')

/** Tools whose results come from memory or knowledge, and so from outside of the run. */
export const memorySearchName = 'memory.search'
export const memoryRecordName = 'memory.record'
export const knowledgeSearchName = 'knowledge.search'
