/** Agent keys on the wire: the text of a key is in the answer that makes it, and never again. */
import { z } from 'zod'
import { keyUse } from '#lib/spec/agent-key'

const ms = z.int().nonnegative()

export const createAgentKey = z.strictObject({
  name: z.string().trim().min(1).max(80),
  use: keyUse,
  /** When it stops working; without it, never. */
  expiresAt: z.int().positive().optional(),
  requestsPerMinute: z.int().min(1).max(6_000).optional(),
  runsPerDay: z.int().min(1).max(1_000_000).optional(),
  usdPerDay: z.number().positive().max(1_000_000).optional(),
})
export type CreateAgentKey = z.infer<typeof createAgentKey>

export const agentKeyView = z.strictObject({
  id: z.string(),
  name: z.string(),
  use: keyUse,
  /** The last four characters of the key. */
  hint: z.string(),
  requestsPerMinute: z.int().positive(),
  /** The limits of a day, which begins at 00:00 UTC; null for no limit. */
  runsPerDay: z.int().positive().nullable(),
  usdPerDay: z.number().nullable(),
  createdAt: ms,
  expiresAt: ms.nullable(),
  lastUsedAt: ms.nullable(),
  /** What its runs of today add up to. */
  today: z.strictObject({ runs: ms, usd: z.number().nonnegative() }),
})
export type AgentKeyView = z.infer<typeof agentKeyView>

/** A new key. `key` is its text, which cannot be read again. */
export const newAgentKey = agentKeyView.extend({ key: z.string() })
export type NewAgentKey = z.infer<typeof newAgentKey>

export const agentKeyList = z.strictObject({ items: z.array(agentKeyView) })
export type AgentKeyList = z.infer<typeof agentKeyList>

/** What the holder of a key may know of it and of its agent. */
export const ownKey = z.strictObject({
  name: z.string(),
  use: keyUse,
  expiresAt: ms.nullable(),
  agent: z.strictObject({
    id: z.string(),
    name: z.string(),
    title: z.string(),
    description: z.string(),
    /** The version that answers; null while none is published. */
    version: z.int().positive().nullable(),
  }),
})
export type OwnKey = z.infer<typeof ownKey>
