/** The facts about the server on the Settings page, and the prices that a person keeps there, on the wire. */
import { z } from 'zod'

const serverFacts = z.strictObject({
  version: z.string(),
  /** An absolute path. */
  dataFolder: z.string(),
  url: z.string(),
  /** Whether the server requires a token. */
  token: z.boolean(),
  /**
   * What isolates tools written in JavaScript: the operating system's sandbox around their process, or the
   * process alone.
   */
  sandbox: z.enum(['os', 'process']),
})
/**
 * US dollars for a million tokens. If several rows match a model, the one with the longest pattern counts.
 */
export const priceRow = z.strictObject({
  /** A glob for model names: `gpt-5-mini*`. */
  model: z.string().min(1).max(200),
  /** Limits the row to this provider or endpoint; any if absent. */
  provider: z.string().min(1).max(64).optional(),
  input: z.number().nonnegative().max(1_000_000),
  output: z.number().nonnegative().max(1_000_000),
  /** The price of input that the provider had in its cache; the same as other input if absent. */
  cached: z.number().nonnegative().max(1_000_000).optional(),
  /** The price of input that the provider writes to its cache; the same as other input if absent. */
  cacheWrite: z.number().nonnegative().max(1_000_000).optional(),
})
export type PriceRow = z.infer<typeof priceRow>

/** An absent value stays unchanged; null restores the prices that come with the product. */
export const saveSettings = z.strictObject({ prices: z.array(priceRow).max(500).nullable().optional() })
export type SaveSettings = z.infer<typeof saveSettings>

export const settingsView = z.strictObject({
  server: serverFacts,
  prices: z.strictObject({
    rows: z.array(priceRow),
    /** False while the prices are those that come with the product. */
    edited: z.boolean(),
    /** The date of the prices that come with the product: `2026-11-21`. */
    asOf: z.string(),
  }),
})
export type SettingsView = z.infer<typeof settingsView>
