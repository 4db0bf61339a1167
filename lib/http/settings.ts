/** What the Settings page tells about the server, on the wire. */
import { z } from 'zod'

const serverFacts = z.strictObject({
  version: z.string(),
  /** Absolute. */
  dataFolder: z.string(),
  url: z.string(),
  /** Whether a token is asked for. */
  token: z.boolean(),
})
export const settingsView = z.strictObject({ server: serverFacts })
export type SettingsView = z.infer<typeof settingsView>
