/** Reads the tables of XLSX and CSV files in a child process. */
import type { DocumentRefusal, Table, TableFormat, TableHead, TableRow } from '#lib/spec/tables'
import { type DocumentRequest, readDocument } from './document-process'

export interface TablesRequest extends Omit<DocumentRequest, 'ask'> {
  /** Only this sheet; all sheets, hidden ones too, when absent. */
  readonly sheet?: string
}

/** Receives each table, then its rows in portions, before the next table. */
export interface TableSink {
  table(head: TableHead): void | Promise<void>
  rows(rows: readonly TableRow[]): void | Promise<void>
}

export type StreamedTables =
  | { readonly ok: true; readonly format: TableFormat; readonly heads: readonly TableHead[] }
  | DocumentRefusal

export type ReadTables =
  | { readonly ok: true; readonly format: TableFormat; readonly tables: readonly Table[] }
  | DocumentRefusal

/**
 * Reads the tables of a file and gives them to `sink` as they come; a refusal can follow rows that were given
 * already. The content decides the kind of file, not its name. Never throws, except what `sink` throws.
 */
export async function streamTables(
  { sheet, ...request }: TablesRequest,
  sink: TableSink,
  signal: AbortSignal,
): Promise<StreamedTables> {
  const heads: TableHead[] = []
  const ask = { type: 'tables', ...(sheet !== undefined && { sheet }) } as const
  const ending = await readDocument(
    { ...request, ask },
    async (piece) => {
      if (piece.type === 'table') {
        heads.push(piece.head)
        await sink.table(piece.head)
      } else await sink.rows(piece.rows)
    },
    signal,
  )
  if ('ok' in ending) return ending
  if (ending.type !== 'done') throw new Error('the child answered another question')
  return { ok: true, format: ending.format, heads }
}

/** Reads all tables into memory: at most a million cells. Never throws. */
export async function readTables(request: TablesRequest, signal: AbortSignal): Promise<ReadTables> {
  const tables: { head: TableHead; rows: TableRow[] }[] = []
  const sink: TableSink = {
    table: (head) => void tables.push({ head, rows: [] }),
    rows: (rows) => {
      const into = tables.at(-1)
      for (const row of rows) into?.rows.push(row)
    },
  }
  const answer = await streamTables(request, sink, signal)
  if (!answer.ok) return answer
  return { ok: true, format: answer.format, tables: tables.map(({ head, rows }) => ({ ...head, rows })) }
}
