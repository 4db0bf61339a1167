/**
 * The port through which tools run scripts over the files of a thread, and the facts about the walls that confine
 * such code.
 */
import type { JsonObject, JsonValue } from './json'
import type { FilesPort } from './sandbox'
import type { ScriptUsage } from './script-usage'
import type { WaitInLine } from './turns'
import type { WallFacts } from './wall-facts'

export { type WallFacts, type WallStrength, wallStrengths } from './wall-facts'

/**
 * The kinds of foreign code, each confined by the best wall that holds on this machine; and `readers`, our own programs
 * that read what others have made.
 */
export const walledKinds = ['javascript', 'shell', 'python', 'readers'] as const
export type WalledKind = (typeof walledKinds)[number]
/** Kinds that run as scripts over files. */
export type ScriptKind = Exclude<WalledKind, 'javascript' | 'readers'>

/** What a self-test of a wall has shown on this machine. */
export type WallTest =
  | {
      readonly holds: true
      /** How long it took to start and end a program inside. */
      readonly startMs: number
    }
  | {
      readonly holds: false
      /** Why, in one sentence. */
      readonly reason: string
      /** What a person can do about it, each in one sentence; commands are in backquotes. */
      readonly remedies: readonly string[]
    }

/** One wall for one kind of code, with the result of its last test; null while a stronger one is known to hold. */
export interface WallReport extends WallFacts {
  readonly test: WallTest | null
}

/** The walls for one kind of code, the strongest first. */
export interface KindReport {
  readonly kind: WalledKind
  /** The id of the wall that is used; null when code of this kind is not run. */
  readonly used: string | null
  /** Why code of this kind is not run, in one sentence; null when it is. */
  readonly refusal: string | null
  readonly walls: readonly WallReport[]
}

/** Limits on one script. */
export interface ScriptLimits {
  /** Waiting for a free sandbox does not count. */
  readonly timeoutMs: number
  /** Of all its processes together. */
  readonly memoryMiB: number
  readonly processes: number
  /** What is kept of each of its two outputs; the rest is counted and dropped. */
  readonly outputBytes: number
  /** Of its files together. */
  readonly diskMiB: number
}

export const usualLimits: ScriptLimits = {
  timeoutMs: 60_000,
  memoryMiB: 1_024,
  processes: 64,
  outputBytes: 256 * 1024,
  diskMiB: 256,
}

/** The most bytes of a workspace that go into a sandbox. */
export const maxStagedBytes = 64 * 1024 * 1024

export interface ScriptRequest {
  readonly kind: ScriptKind
  readonly source: string
  /** For code that is a function of arguments. */
  readonly args?: JsonObject
  /** The thread's files. A copy of them goes in, and what changed comes back: whole or not at all. */
  readonly files: Pick<FilesPort, 'copyTo' | 'takeFrom'>
  /** The files that go in; without it all of them, up to `maxStagedBytes`. */
  readonly only?: readonly string[]
  /** Whether changed files come back. */
  readonly mayWrite: boolean
  /** Folders that the script can only read, beside the workspace. */
  readonly readOnly?: readonly ReadOnlyFolder[]
  readonly limits: ScriptLimits
  /** Only requests with the same text may use one warm process: the id of the run. Without it, none is reused. */
  readonly owner?: string
  readonly inLine?: WaitInLine
  /** Receives output as it comes, up to the limit. */
  output(text: string, from: ScriptStream): void
}

/** Files that a script gets besides the workspace; what it does to them stays nowhere. */
export interface ReadOnlyFolder {
  /** Where the script sees it: `/skills/notes`. */
  readonly at: string
  /** By path within the folder. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

export type ScriptStream = 'stdout' | 'stderr'

export interface ScriptOutput {
  readonly stdout: string
  readonly stderr: string
  /** Bytes that were printed and not kept. */
  readonly dropped: number
}

export type ScriptFault =
  | 'timeout'
  | 'memory'
  | 'processes'
  | 'disk'
  | 'output'
  | 'aborted'
  /** The files could not go in or come back. */
  | 'files'
  | 'busy'
  | 'unavailable'
  /** The code broke the wall's own program. */
  | 'crashed'

export type ScriptAnswer =
  | {
      readonly ok: true
      readonly exitCode: number
      /** The value of code that is a function; undefined for a script. */
      readonly value?: JsonValue
      /** Paths of files that were made or changed, and of those that were removed. */
      readonly changed: readonly string[]
      readonly removed: readonly string[]
      /** Links, special files and files with unusable names that it left, which do not come back. */
      readonly ignored: number
      readonly output: ScriptOutput
      readonly usage: ScriptUsage
      readonly wall: WallFacts
    }
  | {
      readonly ok: false
      readonly code: ScriptFault
      readonly message: string
      /** Absent when nothing was started. */
      readonly output?: ScriptOutput
      readonly usage?: ScriptUsage
      readonly wall?: WallFacts
    }

/** Runs scripts behind the best wall that holds; never throws. */
export interface SandboxPort {
  run(request: ScriptRequest, signal: AbortSignal): Promise<ScriptAnswer>
  /** The wall that confines this kind of code; undefined when none does. The first use tests the walls. */
  wall(kind: WalledKind): Promise<WallFacts | undefined>
}
