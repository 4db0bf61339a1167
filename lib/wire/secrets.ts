/** Secrets on the wire: they can be written but not read. */
import { z } from 'zod'

export const secretName = z
  .string()
  .max(64)
  .regex(
    /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/,
    'uppercase letters, digits and single underscores, as in "WEATHER_KEY"',
  )

/**
 * An absent value stays unchanged. A secret is sent only to the listed origins: `https://api.example.com`.
 */
export const saveSecret = z.strictObject({
  value: z.string().min(1).max(16_384).optional(),
  origins: z.array(z.string().max(2_048)).max(50).optional(),
})
export type SaveSecret = z.infer<typeof saveSecret>

export const secretView = z.strictObject({
  name: z.string(),
  /** The last four characters, if the value is long enough to show them. */
  hint: z.string(),
  origins: z.array(z.string()),
  /**
   * Providers and databases by their names, `mcp:<server>`, `agent:<name>` for a draft and `agent:<name>@<version>`
   * for a published version: whose settings or config name it.
   */
  usedBy: z.array(z.string()),
  updatedAt: z.int().nonnegative(),
  /** Why it cannot be opened and what to do; absent if it can. */
  problem: z.string().optional(),
})
export type SecretView = z.infer<typeof secretView>
export const secretList = z.strictObject({ items: z.array(secretView) })
export type SecretList = z.infer<typeof secretList>
