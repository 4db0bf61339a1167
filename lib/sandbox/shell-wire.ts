/** The messages between the wall just-bash and its child process, one JSON text per line. */
import { z } from 'zod'

/** The one script that a child runs in its life. */
export interface RunShell {
  readonly type: 'run'
  readonly source: string
  /** The folder with the copies of the files; absolute. */
  readonly folder: string
  /** Folders that the script can only read, each with where it sees it. */
  readonly readable?: readonly (readonly [outside: string, inside: string])[]
  readonly memoryBytes: number
}

/** Asks the child to try what its wall forbids. */
export interface ProbeShell {
  readonly type: 'probe'
  /** A file of the server; absolute. */
  readonly canary: string
}

export type ToShell = RunShell | ProbeShell

export const fromShell = z.discriminatedUnion('type', [
  /** `base64` are bytes as they were printed. */
  z.strictObject({ type: z.literal('output'), from: z.enum(['stdout', 'stderr']), base64: z.string() }),
  z.strictObject({
    type: z.literal('done'),
    exitCode: z.int(),
    cpuSeconds: z.number(),
    peakBytes: z.number(),
  }),
  /** What the child could do although its wall forbids it, each in a few words. */
  z.strictObject({ type: z.literal('probed'), leaks: z.array(z.string()) }),
  z.strictObject({ type: z.literal('failed'), code: z.enum(['disk', 'crashed']), message: z.string() }),
])
export type FromShell = z.infer<typeof fromShell>

/** What one message holds of an output. */
export const maxOutputPiece = 48 * 1024
export const maxShellLineBytes = 256 * 1024
