/**
 * Finds the names in a statement that the database does not have, and the names that were probably meant. The
 * database itself reads the statement again after each name, so no reader of SQL is needed here.
 */
import { likelyNames } from '#lib/spec/nearest'
import type { SqlFailure, UnknownName } from '#lib/spec/sql'
import { placeIn, type SqlToken, wordsOf } from '#lib/spec/sql-text'
import type { DatabaseReading, ReadRefusal } from './database'
import { type ColumnName, columnNamesOf, sqliteName, type TableName, tablesOf } from './database-schema'

/** One name that the database does not have. */
export interface WrongName extends UnknownName {
  readonly line: number
  readonly column: number
  /** Names that could be meant, the likely one first. */
  readonly near: readonly string[]
  /** The name to use instead; absent when several could be meant. */
  readonly fix?: string
}

export interface NamesFound {
  /** The statement with every clear name in place of a wrong one. */
  readonly sql: string
  readonly names: readonly WrongName[]
  /** What is wrong with the statement besides, or after names that are not clear. */
  readonly failure?: SqlFailure
}

/** The most wrong names that are looked for in one statement. */
const maxNames = 20

/** A piece of the statement, and what stands in its place while the database reads on. */
interface Edit {
  readonly start: number
  readonly end: number
  readonly fix?: string
  readonly stand: string
}

/** Refuses when the tables of the database cannot be read. */
export async function findNames(
  reading: DatabaseReading,
  sql: string,
): Promise<NamesFound | { refusal: ReadRefusal }> {
  const first = await reading.check(sql)
  if (first.ok) return { sql, names: [] }
  const found = await tablesOf(reading)
  if ('refusal' in found) return found
  const names: WrongName[] = []
  let edits: readonly Edit[] = []
  let failure: SqlFailure | undefined = first
  while (names.length < maxNames) {
    if (failure?.unknown === undefined || failure.offset === undefined) break
    const start = originalOffset(edits, failure.offset)
    const { unknown } = failure
    const end = start + lengthOf(sql, start, { unknown, reading })
    if (edits.some((each) => each.start === start)) break
    const near = await nearNames(reading, found.tables, { sql: edited(sql, edits, 'fix'), unknown })
    const { names: words, fix } = near
    names.push({ ...unknown, ...placeIn(sql, start), near: words, ...(fix !== undefined && { fix }) })
    // Without the table, the database cannot know what is wrong with the columns.
    if (fix === undefined && unknown.kind === 'table') break
    edits = [...edits, { start, end, stand: fix ?? 'NULL', ...(fix !== undefined && { fix }) }].sort(
      (a, b) => a.start - b.start,
    )
    const next = await reading.check(edited(sql, edits, 'stand'))
    failure = next.ok ? undefined : next
  }
  const isClear = names.every(({ fix }) => fix !== undefined)
  const rest = isClear ? failure : undefined
  names.sort((a, b) => a.line - b.line || a.column - b.column)
  return { sql: edited(sql, edits, 'fix'), names, ...(rest !== undefined && { failure: rest }) }
}

function edited(sql: string, edits: readonly Edit[], which: 'fix' | 'stand'): string {
  let at = 0
  let text = ''
  for (const { start, end, ...edit } of edits) {
    text += sql.slice(at, start) + (edit[which] ?? sql.slice(start, end))
    at = end
  }
  return text + sql.slice(at)
}

/** The place in the statement as it was given, of a place in the statement with its edits. */
function originalOffset(edits: readonly Edit[], offset: number): number {
  let shift = 0
  for (const { start, end, stand } of edits) {
    if (start + shift >= offset) break
    shift += stand.length - (end - start)
  }
  return offset - shift
}

/** The length of a name with its qualifiers as the statement writes it, quotes included. */
function lengthOf(
  sql: string,
  start: number,
  { unknown, reading }: { unknown: UnknownName; reading: DatabaseReading },
): number {
  const tokens = wordsOf(sql, reading.dialect)
  const first = tokens.findIndex((token) => token.start === start)
  if (first < 0) return unknown.name.length
  let last = first
  while (sql[tokens[last + 1]?.start ?? -1] === '.' && tokens[last + 2]?.name !== undefined) last += 2
  return (tokens[last]?.end ?? start) - start
}

async function nearNames(
  reading: DatabaseReading,
  tables: readonly TableName[],
  { sql, unknown: { kind, name } }: { sql: string; unknown: UnknownName },
): Promise<{ names: string[]; fix?: string }> {
  if (kind === 'table') {
    const { names, isClear } = likelyNames(
      plainName(name),
      tables.map((each) => each.name),
    )
    const [first] = names
    const fix = reading.dialect === 'sqlite' ? first && sqliteName(first) : first
    return { names, ...(isClear && fix !== undefined && { fix }) }
  }
  const used = tablesIn(sql, tables, reading)
  const columns = await columnNamesOf(reading, [...new Set(used.map(({ table }) => table))])
  return nearColumns(plainName(name), used, columns)
}

/** A name without the quotes of its parts. */
function plainName(name: string): string {
  return name.replaceAll(/["`[\]]/g, '')
}

interface UsedTable {
  readonly table: TableName
  /** The name by which the statement calls it. */
  readonly alias: string
}

function nearColumns(
  name: string,
  used: readonly UsedTable[],
  columns: readonly ColumnName[],
): { names: string[]; fix?: string } {
  const dot = name.lastIndexOf('.')
  const qualifier = dot < 0 ? undefined : name.slice(0, dot).toLowerCase()
  const column = name.slice(dot + 1)
  const named = used.find(({ alias }) => alias.toLowerCase() === qualifier)
  const choices = columns.flatMap((each) => {
    const aliases = used.filter(({ table }) => table.name === each.table)
    if (qualifier === undefined) return [{ shown: each.name, sql: each.sql }]
    // The qualifier may be what is wrong, so that the whole is compared.
    return aliases
      .filter(({ alias }) => named === undefined || alias === named.alias)
      .map(({ alias }) => ({
        shown: named ? each.name : `${alias}.${each.name}`,
        sql: `${alias}.${each.sql}`,
      }))
  })
  const byName = new Map(choices.map(({ shown, sql }) => [shown, sql]))
  const { names, isClear } = likelyNames(named === undefined && qualifier !== undefined ? name : column, [
    ...byName.keys(),
  ])
  const fix = byName.get(names[0] ?? '')
  return { names, ...(isClear && fix !== undefined && { fix }) }
}

/** Words that follow a table and are no other name for it. */
const afterTable = new Set(
  'where join inner left right full cross natural on using group order having limit offset union except intersect fetch for window set values'.split(
    ' ',
  ),
)

/** The tables that a statement names, each with the name by which it calls them. */
function tablesIn(sql: string, tables: readonly TableName[], { dialect }: DatabaseReading): UsedTable[] {
  const byName = new Map(tables.map((each) => [plainName(each.name).toLowerCase(), each]))
  const tokens = wordsOf(sql, dialect)
  const nameAt = (index: number) => tokens[index]?.name?.toLowerCase()
  const isDot = (token: SqlToken | undefined) => token !== undefined && sql[token.start] === '.'
  return tokens.flatMap((token, index) => {
    if (token.name === undefined || isDot(tokens[index - 1])) return []
    const isQualified = isDot(tokens[index + 1])
    const whole = isQualified ? `${nameAt(index)}.${nameAt(index + 2)}` : nameAt(index)
    const table = byName.get(whole ?? '')
    if (table === undefined) return []
    const next = index + (isQualified ? 3 : 1)
    const at = nameAt(next) === 'as' ? next + 1 : next
    const other = tokens[at]
    const isAlias = other?.name !== undefined && !afterTable.has(other.name.toLowerCase())
    return [{ table, alias: isAlias ? sql.slice(other.start, other.end) : table.name }]
  })
}
