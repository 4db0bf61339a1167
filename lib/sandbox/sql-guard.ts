/** Decides from the text alone whether it is one read statement; the database is opened read-only as well. */
import type { Result } from '#lib/spec/errors'

const maxChars = 100_000

/** Statements that start with one of these may read; SQLite itself later confirms that they only read. */
const openings = new Set(['select', 'with', 'values', 'explain'])

/** Never needed in a read, and each is a way out: another file, a setting, a written file, loaded code. */
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

// Every form ends at its closing mark or at the end of the text, so that no position is tried
// twice and matching is linear.
const token =
  /\s+|\uFEFF|--[^\n]*|\/\*.*?(?:\*\/|$)|'[^']*(?:''[^']*)*'?|"([^"]*(?:""[^"]*)*)"?|`([^`]*(?:``[^`]*)*)`?|\[([^\]]*)\]?|([A-Za-z_\u0080-\uFFFF][\w$\u0080-\uFFFF]*)|(;)|./sy

/** The statement without a byte order mark and closing semicolons, or one sentence on why it is refused. */
export function oneRead(sql: string): Result<string, string> {
  if (sql.length > maxChars) return no(`The statement is longer than ${maxChars} characters.`)
  if (sql.includes('\0')) return no('The statement contains a NUL character.')
  let opening: string | undefined
  let closedAt: number | undefined
  token.lastIndex = 0
  while (token.lastIndex < sql.length) {
    const at = token.lastIndex
    const match = token.exec(sql)
    if (match === null) break
    const [text, double, back, square, word, semicolon] = match
    if (/^(?:\s|\uFEFF|--|\/\*)/.test(text)) continue
    if (semicolon !== undefined) {
      closedAt ??= at
      continue
    }
    if (closedAt !== undefined && opening !== undefined) return no('Only one statement may run at a time.')
    const fault = wordFault(word?.toLowerCase(), (word ?? double ?? back ?? square)?.toLowerCase())
    if (fault !== undefined) return no(fault)
    opening ??= word?.toLowerCase() ?? text
  }
  if (opening === undefined) return no('There is no statement.')
  if (!openings.has(opening))
    return no(`Only a SELECT may run here, and this begins with "${opening.toUpperCase()}".`)
  return { ok: true, value: sql.slice(0, closedAt).replace(/^\uFEFF+/, '') }
}

/** A banned keyword counts only unquoted; a banned function name counts in quotes as well. */
function wordFault(bare: string | undefined, name: string | undefined): string | undefined {
  if (bare !== undefined && banned.has(bare))
    return `${bare.toUpperCase()} may not be used here; put a name in double quotes.`
  if (name === undefined) return undefined
  if (bannedFunctions.has(name)) return `${name} may not be used here.`
  if (name.startsWith('pragma_') && !readablePragmas.has(name)) return `${name} may not be used here.`
  return undefined
}

function no(error: string): { ok: false; error: string } {
  return { ok: false, error }
}
