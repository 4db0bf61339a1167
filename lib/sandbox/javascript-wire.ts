/** What is said between the JavaScript port and its child process, one JSON text a line, and the bounds both keep. */
import type { JsonObject } from '#lib/spec/json'

/** Of the returned value, as JSON. */
export const maxResultBytes = 1024 * 1024
/** Of `console.log`, told in one execution; what comes after is counted. */
export const maxLogBytes = 256 * 1024
/** Of one text for a file, written as JSON. */
export const maxWriteBytes = 12 * 1024 * 1024
/** Of processor time in one execution. */
export const maxCpuMs = 10_000

/** The one thing asked of a child in its life. */
export interface RunAsk {
  readonly type: 'run'
  readonly source: string
  readonly args: JsonObject
  /** When the child stops by itself; whoever started it stops it then in any case. */
  readonly timeoutMs: number
}

/** The answer to a `read` or a `write`: the text read, `''` after a write, or why not. */
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
  /** Whole lines, each with its end. */
  | { readonly type: 'log'; readonly text: string }
  | { readonly type: 'read'; readonly id: number; readonly path: string }
  | { readonly type: 'write'; readonly id: number; readonly path: string; readonly text: string }
  /** `json` is absent when the function returned undefined. */
  | { readonly type: 'done'; readonly json?: string }
  | { readonly type: 'failed'; readonly code: JavascriptFault; readonly message: string }

export type JavascriptFault = 'javascript_error' | 'timeout' | 'memory' | 'too_large'
