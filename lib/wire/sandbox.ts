/** The walls around foreign code on the wire: which one is used for each kind, and what their tests have shown. */
import { z } from 'zod'
import { walledKinds, wallStrengths } from '#lib/spec/walls'

export const sandboxQuery = z.strictObject({
  kind: z
    .enum(walledKinds)
    .optional()
    .describe('Only the walls around code of this kind; default: all kinds.'),
})

const wallTest = z.discriminatedUnion('holds', [
  z.strictObject({
    holds: z.literal(true),
    /** How long it took to start and end a program inside. */
    startMs: z.number(),
  }),
  z.strictObject({
    holds: z.literal(false),
    reason: z.string(),
    /** What a person can do about it; commands are in backquotes. */
    remedies: z.array(z.string()),
  }),
])

const wallView = z.strictObject({
  id: z.string(),
  name: z.string(),
  strength: z.enum(wallStrengths),
  /** What it keeps to, each in a few words. */
  promises: z.array(z.string()),
  /** What it does not promise though a stronger wall does. */
  gaps: z.array(z.string()),
  /** Null while it has not been tested, because a stronger one holds. */
  test: wallTest.nullable(),
})
export type WallView = z.infer<typeof wallView>

const kindView = z.strictObject({
  kind: z.enum(walledKinds),
  /** The id of the wall that is used; null when code of this kind is not run. */
  used: z.string().nullable(),
  /** Why code of this kind is not run; null when it is. */
  refusal: z.string().nullable(),
  /** The strongest first. */
  walls: z.array(wallView),
})
export type WalledKindView = z.infer<typeof kindView>

export const sandboxView = z.strictObject({
  /** The weakest strength that the operator allows: `LOOPWRIGHT_SANDBOX`. */
  minimum: z.enum(wallStrengths),
  kinds: z.array(kindView),
})
export type SandboxView = z.infer<typeof sandboxView>
