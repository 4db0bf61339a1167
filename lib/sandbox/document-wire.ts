/** What the process that reads documents is asked, and what it says. */
import type { DocumentText, DocumentView } from '#lib/spec/document'
import type { DocumentFault, TableFormat, TableHead, TableRow } from '#lib/spec/tables'

export const mebibyte = 1024 * 1024

/** The limits on what is read from one document. */
export const documentLimits = {
  fileBytes: 50 * mebibyte,
  unpackedBytes: 200 * mebibyte,
  cells: 1_000_000,
  pages: 2_000,
  milliseconds: 30_000,
  heapMiB: 256,
} as const

/** The first line on the child's input, as JSON; the bytes of the file follow. */
export type DocumentAsk =
  | {
      readonly type: 'tables'
      /** Only this sheet; all sheets when absent. */
      readonly sheet?: string
    }
  | ({ readonly type: 'text' } & DocumentView)

/** One line of the child's output, as JSON. The last one is `done`, `text` or `failed`. */
export type DocumentSaid =
  | { readonly type: 'table'; readonly head: TableHead }
  | { readonly type: 'rows'; readonly rows: readonly TableRow[] }
  | { readonly type: 'done'; readonly format: TableFormat }
  /** The whole answer to the request for a text. */
  | { readonly type: 'text'; readonly document: DocumentText }
  | { readonly type: 'failed'; readonly code: DocumentFault; readonly message: string }

/** Thrown by a reader for a document that it cannot read. The message is a whole sentence. */
export class Unreadable extends Error {
  constructor(
    readonly code: DocumentFault,
    message: string,
  ) {
    super(message)
  }
}
