/** What the process that reads skills says. */
import { z } from 'zod'
import { skillHead } from '#lib/spec/skill'

export const skillSaid = z.discriminatedUnion('ok', [
  z.strictObject({
    ok: z.literal(true),
    head: skillHead,
    files: z.array(z.strictObject({ path: z.string(), isText: z.boolean(), base64: z.string() })),
  }),
  z.strictObject({ ok: z.literal(false), error: z.string() }),
])
export type SkillSaid = z.infer<typeof skillSaid>
