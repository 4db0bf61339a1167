/** What a wall of the sandbox is for those that choose one: its facts, a test of it, and a way to run scripts. */
import type { JsonObject, JsonValue } from '#lib/spec/json'
import type { ScriptUsage } from '#lib/spec/script-usage'
import type {
  ScriptFault,
  ScriptKind,
  ScriptLimits,
  ScriptStream,
  WallFacts,
  WallTest,
} from '#lib/spec/walls'

/** What walls may use of this machine. All paths are absolute. */
export interface WallContext {
  /** The folder for temporary files. */
  readonly temporary: string
  /** Folders that no code may see even where they are inside a readable one, such as the data folder. */
  readonly hidden: readonly string[]
  /** The folder of programs that `loopwright walls install` has put there. */
  readonly installed: string
  /** Wheels that the operator provides for Python; the folder need not exist. */
  readonly wheels?: string
}

export interface CodeWall {
  readonly facts: WallFacts
  /** Runs a program inside that tries what the wall forbids. May reject; that counts as not holding. */
  test(): Promise<WallTest>
}

/** A wall that runs scripts over a folder. */
export interface ScriptWall extends CodeWall {
  /** Never throws, and resolves only when every process of the script has ended. */
  run(job: ScriptJob, signal: AbortSignal): Promise<ScriptEnd>
  /** Ends every process. The wall can still be used afterwards. */
  close(): void
}

export interface ScriptJob {
  readonly kind: ScriptKind
  readonly source: string
  readonly args?: JsonObject
  /**
   * An absolute folder with the copies of the files, which belongs to this job alone. What is in it afterwards is
   * compared with what was in it before; links and special files in it are ignored.
   */
  readonly folder: string
  /** An absolute empty folder of this job for everything else, such as temporary files. */
  readonly scratch: string
  /** Folders outside of these that the script can only read, each with where it sees it; none when absent. */
  readonly readable?: readonly (readonly [outside: string, inside: string])[]
  readonly limits: ScriptLimits
  /** As in `ScriptRequest`. */
  readonly owner?: string
  /** Raw output as it comes; the caller bounds it and aborts the job when there is too much. */
  output(chunk: Uint8Array, from: ScriptStream): void
}

export type ScriptEnd =
  | {
      readonly ended: true
      readonly exitCode: number
      readonly value?: JsonValue
      readonly usage: ScriptUsage
    }
  | {
      readonly ended: false
      readonly code: ScriptFault
      readonly message: string
      readonly usage: ScriptUsage
    }
