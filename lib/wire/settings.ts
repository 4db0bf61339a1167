/** What the Settings page tells about the server, and the prices a person keeps there, on the wire. */
import { z } from 'zod'

const serverFacts = z.strictObject({
  version: z.string(),
  /** Absolute. */
  dataFolder: z.string(),
  url: z.string(),
  /** Whether a token is asked for. */
  token: z.boolean(),
  /** What holds tools written in JavaScript: the operating system's sandbox around their process, or the process alone. */
  sandbox: z.enum(['os', 'process']),
})
/** US dollars for a million tokens. Of several rows that fit a model, the one with the longest pattern counts. */
export const priceRow = z.strictObject({
  /** A glob over names of models: `gpt-5-mini*`. */
  model: z.string().min(1).max(200),
  /** Only for this provider or endpoint; any when absent. */
  provider: z.string().min(1).max(64).optional(),
  input: z.number().nonnegative().max(1_000_000),
  output: z.number().nonnegative().max(1_000_000),
  /** For input the provider had in its cache; as other input when absent. */
  cached: z.number().nonnegative().max(1_000_000).optional(),
})
export type PriceRow = z.infer<typeof priceRow>

/** Absent keeps what stands; null takes the prices that come with the product again. */
export const saveSettings = z.strictObject({ prices: z.array(priceRow).max(500).nullable().optional() })
export type SaveSettings = z.infer<typeof saveSettings>

export const settingsView = z.strictObject({
  server: serverFacts,
  prices: z.strictObject({
    rows: z.array(priceRow),
    /** False while they are those that come with the product. */
    edited: z.boolean(),
    /** The day those that come with the product were written down: `2026-11-21`. */
    asOf: z.string(),
  }),
})
export type SettingsView = z.infer<typeof settingsView>
