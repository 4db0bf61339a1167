/** What the plan of a statement tells about its work, in sentences; the statement is planned, not run. */
import { isObject, type JsonValue } from '#lib/spec/json'
import type { DatabaseReading } from './database'

/** Fewer rows are read faster than an index is searched. */
const fewRows = 1_000

/** Empty when there is nothing to say, or when the database gives no plan. */
export async function planNotes(reading: DatabaseReading, sql: string): Promise<string[]> {
  const isSqlite = reading.dialect === 'sqlite'
  const explain = isSqlite ? 'explain query plan' : 'explain (format json)'
  const answer = await reading.query({ sql: `${explain} ${sql}` })
  if (!answer.ok) return []
  const { rows } = answer.value
  const notes = isSqlite
    ? rows.flatMap((row) => sqliteNotes(String(row.at(-1))))
    : postgresNotes(rows[0]?.[0] ?? null)
  return [...new Set(notes)]
}

/** `SCAN invoices`, `SEARCH c USING INTEGER PRIMARY KEY (rowid=?)`, `USE TEMP B-TREE FOR ORDER BY` */
function sqliteNotes(detail: string): string[] {
  const scanned = /^SCAN (?!CONSTANT ROW|\(|SUBQUERY)(\S+)(?! USING (?:COVERING )?INDEX)/.exec(detail)
  if (scanned !== null && !/USING (COVERING )?INDEX/.test(detail))
    return [`It reads every row of ${scanned[1]}.`]
  if (/USING AUTOMATIC/.test(detail)) {
    const table = /^SEARCH (\S+)/.exec(detail)?.[1]
    return [`It builds an index on ${table} each time it runs, because there is none for the join.`]
  }
  const sorted = /^USE TEMP B-TREE FOR (.+)$/.exec(detail)?.[1]
  return sorted === undefined ? [] : [`It sorts all rows for ${sorted}.`]
}

/** PostgreSQL gives the plan as a tree of nodes. */
function postgresNotes(value: JsonValue): string[] {
  const [first] = Array.isArray(value) ? value : []
  const plan = isObject(first) ? first.Plan : undefined
  if (!isObject(plan)) return []
  const notes: string[] = []
  const visit = (node: JsonValue | undefined): void => {
    if (!isObject(node)) return
    const rows = Number(node['Plan Rows'] ?? 0)
    const type = node['Node Type']
    if (type === 'Seq Scan' && rows >= fewRows)
      notes.push(`It reads every row of ${String(node['Relation Name'])}, about ${rows}.`)
    if (type === 'Nested Loop' && node['Join Filter'] === undefined && rows >= 1_000_000)
      notes.push(`It combines rows into about ${rows}; check that every join has a condition.`)
    for (const each of Array.isArray(node.Plans) ? node.Plans : []) visit(each)
  }
  visit(plan)
  const returned = Number(plan['Plan Rows'] ?? 0)
  return [...notes, `The server expects about ${returned} ${returned === 1 ? 'row' : 'rows'}.`]
}
