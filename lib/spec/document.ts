/** Documents as they are shown to a reader: text, PDF, DOCX, and sheets of XLSX files. */
import type { PictureSize } from './picture'
import type { DocumentRefusal } from './tables'
import type { WaitInLine } from './turns'
import type { WallFacts } from './wall-facts'

/** Pages or lines, counted from 1; to the end when `to` is absent. */
export interface DocumentSpan {
  readonly from: number
  readonly to?: number | undefined
}

/** The part of a document to show. What does not fit its kind is ignored. */
export interface DocumentView {
  readonly pages?: DocumentSpan | undefined
  readonly lines?: DocumentSpan | undefined
  readonly sheet?: string | undefined
  /** Cells of the sheet: `B2:D20`. */
  readonly range?: string | undefined
}

export interface DocumentText {
  readonly kind: 'pdf' | 'docx' | 'xlsx' | 'text'
  /** Sentences on what it is and which part of it is shown. */
  readonly summary: string
  readonly text: string
  /** How many lines a text has in all. */
  readonly lines?: number | undefined
  /** How many pages a PDF has in all. */
  readonly pages?: number | undefined
}

export type SeenDocument =
  | {
      readonly ok: true
      readonly value: DocumentText
      /** The wall that it was read behind. */
      readonly wall?: WallFacts
    }
  | { readonly ok: true; readonly value: SeenPicture }
  | DocumentRefusal

export interface SeenPicture {
  readonly kind: 'picture'
  readonly mediaType: string
  readonly bytes: number
  /** Absent when it is not in the beginning of the file. */
  readonly size?: PictureSize | undefined
}

export interface Viewing {
  readonly signal: AbortSignal
  /** How the caller waits for a free process. */
  readonly inLine?: WaitInLine
}
