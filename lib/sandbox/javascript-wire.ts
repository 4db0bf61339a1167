/**
 * The messages between the JavaScript port and its child process, one JSON text per line, and the limits
 * that both sides enforce.
 */
import type { JsonObject } from '#lib/spec/json'

/** The size of the returned value, as JSON. */
export const maxResultBytes = 1024 * 1024
/** The total `console.log` output of one execution; lines past the limit are only counted. */
export const maxLogBytes = 256 * 1024
/** The size of one text for a file, written as JSON. */
export const maxWriteBytes = 12 * 1024 * 1024
/** Processor time of one execution. */
export const maxCpuMs = 10_000

/** The one execution that a child runs in its life. */
export interface RunAsk {
  readonly type: 'run'
  readonly source: string
  readonly args: JsonObject
  /** The value of the global `run`. */
  readonly run?: JsonObject
  /** When the child stops by itself; its parent then stops it in any case. */
  readonly timeoutMs: number
}

/**
 * The answer to a `read` or a `write`: the text that was read, `''` after a write, or
 * the reason of the failure.
 */
export interface FileSaid {
  readonly type: 'file'
  readonly id: number
  readonly ok: boolean
  readonly text: string
}

export type ToChild = RunAsk | FileSaid

/** `ready` comes first and once; `done` or `failed` comes last and once. */
export type FromChild =
  | { readonly type: 'ready' }
  /** Whole lines, each with its line end. */
  | { readonly type: 'log'; readonly text: string }
  /** A note for the model. */
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'read'; readonly id: number; readonly path: string }
  | { readonly type: 'write'; readonly id: number; readonly path: string; readonly text: string }
  /** `json` is absent when the function returned undefined. */
  | { readonly type: 'done'; readonly json?: string; readonly use?: ChildUse }
  | {
      readonly type: 'failed'
      readonly code: JavascriptFault
      readonly message: string
      readonly use?: ChildUse
    }

/** What the execution used, without the start of the process. */
export interface ChildUse {
  readonly cpuSeconds: number
  readonly peakBytes: number
}

export type JavascriptFault = 'javascript_error' | 'timeout' | 'memory' | 'too_large'
