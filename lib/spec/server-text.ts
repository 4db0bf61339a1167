/** Texts of MCP servers that a run reads with its instructions. Every one of them is untrusted. */
import { z } from 'zod'

export const serverText = z.strictObject({
  /** The entry of the config that asks for it: `tools/0`. */
  node: z.string(),
  server: z.string(),
  /** `instructions`, or the address of a resource. */
  name: z.string(),
  /** Absent when it could not be read. */
  text: z.string().optional(),
  /** Why it could not be read. */
  problem: z.string().optional(),
})
export type ServerText = z.output<typeof serverText>
