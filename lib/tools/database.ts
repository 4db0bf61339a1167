/** What the database tools share: choosing a database or a file of tables, and reporting failures. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { FileAnswer, FileStream } from '#lib/spec/sandbox'
import type {
  SqlAnswer,
  SqlChecked,
  SqlDialect,
  SqlFailure,
  SqlFile,
  SqlPort,
  SqlRequest,
} from '#lib/spec/sql'
import type { ToolContext, ToolOutput } from '#lib/spec/tool'

export type ReadRefusal = Extract<ToolOutput, { ok: false }>

/** The argument `database`; its format lets a check find presets that name a database. */
export const databaseArgument = z.string().max(64).optional().meta({
  title: 'Database',
  description: 'Name of a registered database; may be left out when there is only one.',
  format: 'database',
})

/** The same where the description also tells of files. */
export const databaseOrFileArgument = z.string().max(512).optional().meta({
  title: 'Database',
  description:
    'Name of a registered database, which may be left out when there is only one, or "file:" and the path of a CSV or XLSX file, as in "file:orders.xlsx": each sheet is a table (that of a CSV file is called data).',
  format: 'database',
})

export const statementArgument = z
  .string()
  .min(1)
  .max(100_000)
  .meta({ title: 'SQL', description: 'One statement that reads.', format: 'multiline' })

/** One database, open for the queries of one call. */
export interface DatabaseReading {
  readonly dialect: SqlDialect
  query(request: Omit<SqlRequest, 'database' | 'file'>): Promise<SqlAnswer>
  /** Lets the database read a statement without running it. */
  check(sql: string): Promise<SqlChecked>
}

interface OpenedDatabase {
  readonly name: string
  readonly reading: DatabaseReading
}

type Around = Pick<ToolContext, 'ports' | 'signal' | 'inLine'>

/** Opens the requested database or file, or refuses and lists the databases that exist. */
export async function openDatabase(
  asked: string | undefined,
  { ports: { sql, files }, signal, inLine }: Around,
): Promise<OpenedDatabase | { refusal: ReadRefusal }> {
  const path = asked === undefined ? undefined : filePath(asked)
  const chosen = path === undefined ? chooseDatabase(sql, asked) : await openFile(path, files)
  if ('refusal' in chosen) return chosen
  const { name, file } = chosen
  const target = { database: name, inLine, ...(file && { file }) }
  return {
    name,
    reading: {
      dialect: file === undefined ? sql.dialectOf(name) : 'sqlite',
      query: (request) => sql.query({ ...request, ...target }, signal),
      check: (statement) => sql.check({ sql: statement, ...target }, signal),
    },
  }
}

/** The path in `file:orders.xlsx`; undefined for the name of a database. */
export function filePath(database: string): string | undefined {
  return database.startsWith('file:') ? database.slice('file:'.length) : undefined
}

interface Chosen {
  readonly name: string
  readonly file?: SqlFile
}

async function openFile(
  path: string,
  files: Around['ports']['files'],
): Promise<Chosen | { refusal: ReadRefusal }> {
  const hash = createHash('sha256')
  const open = () => openStream(path, files)
  const first = await open()
  if (!first.ok) return { refusal: first }
  try {
    for await (const chunk of first.value.content) hash.update(chunk)
  } finally {
    first.value.content.destroy()
  }
  const file: SqlFile = {
    key: hash.digest('hex'),
    async *content() {
      const again = await open()
      if (!again.ok) throw new Error(again.message)
      yield* again.value.content
    },
  }
  return { name: `file:${path}`, file }
}

/** A file in pieces where the port has that, otherwise as a whole. */
async function openStream(path: string, files: Around['ports']['files']): Promise<FileAnswer<FileStream>> {
  if (files.open !== undefined) return files.open(path)
  const read = await files.read(path)
  if (!read.ok) return read
  const { value } = read
  return { ok: true, value: { bytes: value.length, content: whole(value) } }
}

function whole(bytes: Uint8Array): FileStream['content'] {
  return {
    async *[Symbol.asyncIterator]() {
      yield bytes
    },
    destroy() {},
  }
}

/** The registered database of this name, or the only one. */
export function chooseDatabase(
  sql: SqlPort,
  asked: string | undefined,
): { name: string; file?: undefined } | { refusal: ReadRefusal } {
  const names = sql.databases()
  const [only, ...more] = names
  if (asked === undefined && only !== undefined && more.length === 0) return { name: only }
  if (asked !== undefined && names.includes(asked)) return { name: asked }
  if (only === undefined) return { refusal: refuseRead('No database is registered.') }
  const known = names.map((each) => `"${each}"`).join(', ')
  if (asked === undefined) return { refusal: refuseRead(`Name one of the databases: ${known}.`) }
  const isFile = /\.(csv|tsv|xlsx)$/i.test(asked)
  const hint = isFile ? ` For a file of the thread, write "file:${asked}".` : ''
  return { refusal: refuseRead(`There is no database "${asked}". Registered: ${known}.${hint}`) }
}

function refuseRead(message: string): ReadRefusal {
  return { ok: false, message, code: 'unknown_database' }
}

export function refusalOf({ message, code }: SqlFailure): ReadRefusal {
  return { ok: false, message, code, ...(code === 'busy' && { retryable: true }) }
}
