/** What an agent remembers, on the wire. */
import { z } from 'zod'
import { maxMemoryChars, memoryHit } from '#lib/spec/recall'

const ms = z.int().nonnegative()
/** `user:<key>`, or `thread:<id>` for runs without a user. */
const owner = z.string().min(1).max(200)

export const memoryEntry = z.strictObject({
  id: z.string(),
  owner: z.string(),
  text: z.string(),
  /** The run that recorded it; the run may be deleted. */
  runId: z.string().nullable(),
  createdAt: ms,
  updatedAt: ms,
})
export type MemoryEntry = z.infer<typeof memoryEntry>

export const memoryQuery = z.strictObject({
  owner: owner.optional(),
  /** Entries with any of these words. */
  search: z.string().max(1_000).optional(),
  cursor: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
})
export type MemoryQuery = z.output<typeof memoryQuery>

export const memoryList = z.strictObject({ items: z.array(memoryEntry), next: z.string().optional() })
export type MemoryList = z.infer<typeof memoryList>

export const memoryOwners = z.strictObject({
  items: z.array(
    z.strictObject({
      owner: z.string(),
      /** The user, the name of the agent key, or the title of the thread. */
      label: z.string(),
      kind: z.enum(['user', 'key', 'thread']),
      entries: ms,
      updatedAt: ms,
    }),
  ),
})
export type MemoryOwners = z.infer<typeof memoryOwners>

export const editMemory = z.strictObject({
  text: z
    .string()
    .max(maxMemoryChars)
    .refine((text) => text.trim() !== '', 'This must not be empty'),
})
export type EditMemory = z.output<typeof editMemory>

export const searchMemory = z.strictObject({
  owner,
  query: z
    .string()
    .max(1_000)
    .refine((text) => text.trim() !== '', 'This must not be empty'),
  limit: z.int().min(1).max(20).optional(),
})
export type SearchMemory = z.output<typeof searchMemory>
export const foundMemory = z.strictObject({ items: z.array(memoryHit) })
export type FoundMemory = z.infer<typeof foundMemory>

export const forgetMemory = z.strictObject({ owner })
export type ForgetMemory = z.output<typeof forgetMemory>
export const forgotten = z.strictObject({ forgotten: ms })
