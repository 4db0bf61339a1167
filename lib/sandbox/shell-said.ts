/** The check of what the child process of just-bash says: a script may have got hold of it. */
import { z } from 'zod'
import type { FromShell } from './shell-wire'

export const fromShell = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('output'), from: z.enum(['stdout', 'stderr']), base64: z.string() }),
  z.strictObject({
    type: z.literal('done'),
    exitCode: z.int(),
    cpuSeconds: z.number(),
    peakBytes: z.number(),
  }),
  z.strictObject({ type: z.literal('probed'), leaks: z.array(z.string()) }),
  z.strictObject({ type: z.literal('failed'), code: z.enum(['disk', 'crashed']), message: z.string() }),
]) satisfies z.ZodType<FromShell>
