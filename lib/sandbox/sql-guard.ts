/**
 * Decides from the text alone whether it is one statement that may run. It is an addition to the walls: SQLite files
 * are opened read-only, and a connection to PostgreSQL has a role that can only read.
 */
import type { Result } from '#lib/spec/errors'
import type { SqlDialect } from '#lib/spec/sql'
import { type SqlToken, sqlTokens } from '#lib/spec/sql-text'

const maxChars = 100_000

interface Rules {
  readonly dialect: SqlDialect
  /** The words with which a statement may begin. */
  readonly openings: ReadonlySet<string>
  /** What may run here, as the beginning of a sentence. */
  readonly only: string
  /** Why a token is refused; undefined when it is not. `next` is the token after it. */
  faultOf(token: SqlToken, sql: string, next: SqlToken | undefined): string | undefined
}

const sqliteRead: Rules = {
  dialect: 'sqlite',
  openings: new Set(['select', 'with', 'values', 'explain']),
  only: 'Only a SELECT may run here',
  faultOf: sqliteFault,
}
const postgresRead: Rules = {
  dialect: 'postgresql',
  openings: new Set(['select', 'with', 'values', 'table', 'explain', '(']),
  only: 'Only a SELECT may run here',
  faultOf: postgresFault,
}
const sqliteWrite: Rules = {
  ...sqliteRead,
  openings: new Set(['insert', 'update', 'delete', 'replace', 'with']),
  only: 'Only an INSERT, UPDATE or DELETE may run here',
}
const postgresWrite: Rules = {
  ...postgresRead,
  openings: new Set(['insert', 'update', 'delete', 'merge', 'with']),
  only: 'Only an INSERT, UPDATE, DELETE or MERGE may run here',
}

/** The statement without a byte order mark and closing semicolons, or one sentence on why it is refused. */
export function oneRead(sql: string, dialect: SqlDialect = 'sqlite'): Result<string, string> {
  return oneStatement(sql, dialect === 'sqlite' ? sqliteRead : postgresRead)
}

/** The same for a statement that changes rows. */
export function oneWrite(sql: string, dialect: SqlDialect): Result<string, string> {
  return oneStatement(sql, dialect === 'sqlite' ? sqliteWrite : postgresWrite)
}

function oneStatement(sql: string, rules: Rules): Result<string, string> {
  if (sql.length > maxChars) return no(`The statement is longer than ${maxChars} characters.`)
  if (sql.includes('\0')) return no('The statement contains a NUL character.')
  let opening: string | undefined
  let closedAt: number | undefined
  let waiting: SqlToken | undefined
  for (const token of sqlTokens(sql, rules.dialect)) {
    if (token.kind === 'space') continue
    if (token.kind === 'end') {
      closedAt ??= token.start
      continue
    }
    if (closedAt !== undefined && opening !== undefined) return no('Only one statement may run at a time.')
    const fault = waiting && rules.faultOf(waiting, sql, token)
    if (fault !== undefined) return no(fault)
    waiting = token
    opening ??= sql.slice(token.start, token.end).toLowerCase()
  }
  const fault = waiting && rules.faultOf(waiting, sql, undefined)
  if (fault !== undefined) return no(fault)
  if (opening === undefined) return no('There is no statement.')
  if (!rules.openings.has(opening))
    return no(`${rules.only}, and this begins with "${opening.slice(0, 40).toUpperCase()}".`)
  return { ok: true, value: sql.slice(0, closedAt).replace(/^\uFEFF+/, '') }
}

/** Never needed in SQLite, and each is a way out: another file, a setting, a written file, loaded code. */
const banned = new Set(['attach', 'detach', 'pragma', 'vacuum'])
const bannedFunctions = new Set(['load_extension', 'readfile', 'writefile', 'edit', 'fts3_tokenizer'])

/** Pragma tables that contain only names and keys; the other pragmas reveal paths or settings. */
const readablePragmas = new Set(
  [
    'table_info',
    'table_xinfo',
    'table_list',
    'foreign_key_list',
    'index_list',
    'index_info',
    'index_xinfo',
  ].map((each) => `pragma_${each}`),
)

/** A banned keyword counts only unquoted; a banned function name counts in quotes as well. */
function sqliteFault({ kind, name: written }: SqlToken): string | undefined {
  const name = written?.toLowerCase()
  if (name === undefined) return undefined
  if (kind === 'word' && banned.has(name))
    return `${name.toUpperCase()} may not be used here; put a name in double quotes.`
  if (bannedFunctions.has(name)) return `${name} may not be used here.`
  if (name.startsWith('pragma_') && !readablePragmas.has(name)) return `${name} may not be used here.`
  return undefined
}

/**
 * Functions of PostgreSQL that change settings, reach files, other servers or other sessions, wait, or run a text as
 * SQL. The role of the connection is what protects the data; this list only closes what a harmless role could still do.
 */
const postgresFunctions = new Set([
  ...['set_config', 'pg_notify', 'pg_cancel_backend', 'pg_terminate_backend', 'pg_reload_conf'],
  ...['pg_rotate_logfile', 'pg_switch_wal', 'pg_promote', 'pg_export_snapshot', 'pg_stat_file'],
  ...['lowrite', 'loread', 'lo', 'ts_stat', 'ts_rewrite', 'xpath_table', 'connectby', 'pg_prewarm'],
])
const postgresFamilies = [
  ...['lo_', 'dblink', 'postgres_fdw_', 'pg_read_', 'pg_ls_', 'pg_file_', 'pg_logdir_', 'pg_sleep'],
  ...['pg_advisory_', 'pg_try_advisory_', 'pg_create_', 'pg_drop_', 'pg_logical_', 'pg_replication_'],
  ...['pg_backup_', 'pg_start_backup', 'pg_stop_backup', 'pg_wal_', 'pg_stat_reset', 'pg_log_'],
  ...['query_to_xml', 'cursor_to_xml', 'crosstab'],
]

function postgresFault(
  { kind, name: written, start, end }: SqlToken,
  sql: string,
  next: SqlToken | undefined,
): string | undefined {
  // A name with escapes could be any of the functions.
  if (kind === 'word' && end - start === 1 && /^u&"/i.test(sql.slice(start, start + 3)))
    return 'Names with Unicode escapes may not be used here.'
  const name = written?.toLowerCase()
  if (name === undefined || next === undefined || sql[next.start] !== '(') return undefined
  const isBanned = postgresFunctions.has(name) || postgresFamilies.some((each) => name.startsWith(each))
  return isBanned ? `The function ${name.slice(0, 60)} may not be used here.` : undefined
}

function no(error: string): { ok: false; error: string } {
  return { ok: false, error }
}
