/** How code in a sandbox gets the tables of a file that it has: a process of their own reads them. */
import type { Table } from '#lib/spec/tables'
import { readTables } from './tables'

export type TablesAnswer =
  | { readonly ok: true; readonly tables: readonly Table[] }
  | { readonly ok: false; readonly message: string }

/** Reads the tables of a file; never throws. */
export type TableReader = (content: Uint8Array, signal: AbortSignal) => Promise<TablesAnswer>

export const readTablesOf: TableReader = async (content, signal) => {
  const answer = await readTables({ content: once(content) }, signal)
  return answer.ok ? { ok: true, tables: answer.tables } : { ok: false, message: answer.message }
}

async function* once(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
}
