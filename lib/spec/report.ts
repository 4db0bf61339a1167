/** The port through which tools make a report: one HTML page of a markdown text and pictures of the workspace. */
import type { FilesPort } from './sandbox'
import type { WaitInLine } from './turns'
import type { WallFacts } from './walls'

export interface ReportRequest {
  readonly title: string
  readonly markdown: string
  /** Where the pictures are that the text names. */
  readonly files: Pick<FilesPort, 'open'>
  readonly inLine?: WaitInLine
}

export interface MadeReport {
  readonly html: string
  /** Paths of the pictures that are in it. */
  readonly pictures: readonly string[]
  /** Whole sentences on what was left out. */
  readonly warnings: readonly string[]
  /** Around the process that read and made it. */
  readonly wall?: WallFacts
}

export type ReportFault =
  /** A picture that the text names is missing or none. */
  'picture' | 'too_large' | 'memory' | 'timeout' | 'aborted' | 'busy' | 'unavailable'

export type ReportAnswer =
  | { readonly ok: true; readonly value: MadeReport }
  | { readonly ok: false; readonly code: ReportFault; readonly message: string }

/** Reads the markdown in a process of its own; never throws. */
export interface ReportPort {
  make(request: ReportRequest, signal: AbortSignal): Promise<ReportAnswer>
}
