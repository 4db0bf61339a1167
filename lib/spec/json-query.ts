/** The port through which tools ask JMESPath expressions of JSON. */
import type { JsonValue } from './json'
import type { ArtifactsPort, FilesPort } from './sandbox'
import type { WaitInLine } from './turns'
import type { WallFacts } from './walls'

export interface JsonQuery {
  readonly expression: string
  /** A file of the workspace, a kept file by its id, or a text. */
  readonly from:
    | { readonly path: string; readonly files: Pick<FilesPort, 'open'> }
    | { readonly artifact: string; readonly artifacts: Pick<ArtifactsPort, 'readBase64'> }
    | { readonly text: string }
  readonly inLine?: WaitInLine
}

/** How much of a result is left out. */
export interface LeftOut {
  readonly of: 'items' | 'keys' | 'characters'
  readonly shown: number
  readonly total: number
}

export type JsonQueryFault =
  /** Not JSON, or nothing that can be read. */
  | 'data'
  /** The expression is wrong; the message says where. */
  | 'expression'
  | 'too_large'
  | 'memory'
  | 'timeout'
  | 'aborted'
  | 'busy'
  | 'unavailable'

export type JsonQueryAnswer =
  | {
      readonly ok: true
      readonly value: JsonValue
      readonly left?: LeftOut | undefined
      /** Around the process that read it. */
      readonly wall?: WallFacts
    }
  | { readonly ok: false; readonly code: JsonQueryFault; readonly message: string }

/** Evaluates in a process of its own; never throws. */
export interface JsonQueryPort {
  ask(query: JsonQuery, signal: AbortSignal): Promise<JsonQueryAnswer>
}
