/** The messages between the wall just-bash and its child process, one JSON text per line. */
import type { WallProbe } from './wall-probe'

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
  readonly probe: WallProbe
}

export type ToShell = RunShell | ProbeShell

export type FromShell =
  /** `base64` are bytes as they were printed. */
  | { readonly type: 'output'; readonly from: 'stdout' | 'stderr'; readonly base64: string }
  | {
      readonly type: 'done'
      readonly exitCode: number
      readonly cpuSeconds: number
      readonly peakBytes: number
    }
  /** What the child could do although its wall forbids it, each in a few words. */
  | { readonly type: 'probed'; readonly leaks: readonly string[] }
  | { readonly type: 'failed'; readonly code: 'disk' | 'crashed'; readonly message: string }

/** What one message holds of an output. */
export const maxOutputPiece = 48 * 1024
export const maxShellLineBytes = 256 * 1024
