/** Splits SQL for highlighting: keywords, strings, comments and the rest. Pure; it does not parse SQL. */

export interface SqlPiece {
  readonly kind: 'keyword' | 'string' | 'comment' | 'plain'
  readonly text: string
}

const keywords = new Set(
  'select from where and or not in is null as on join left right inner outer full cross group by having order asc desc limit offset union all distinct case when then else end with recursive insert into values update set delete create table view index drop alter between like exists over partition using cast filter'.split(
    ' ',
  ),
)

const token =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"[^"]*"|[a-z_][\w$]*|[^'"/\-a-z_]+|[\s\S]/gi

export function sqlPieces(sql: string): SqlPiece[] {
  const pieces: SqlPiece[] = []
  for (const [text] of sql.matchAll(token)) {
    const kind = kindOf(text)
    const last = pieces.at(-1)
    if (last?.kind === kind) pieces[pieces.length - 1] = { kind, text: last.text + text }
    else pieces.push({ kind, text })
  }
  return pieces
}

function kindOf(text: string): SqlPiece['kind'] {
  if (text.startsWith('--') || text.startsWith('/*')) return 'comment'
  if (text.startsWith("'")) return 'string'
  return keywords.has(text.toLowerCase()) ? 'keyword' : 'plain'
}

/** Whether an argument is an SQL statement, by its name and its first word. */
export function isSql(name: string, text: string): boolean {
  return (
    /^(sql|query|statement)$/i.test(name) &&
    /^\s*(select|with|insert|update|delete|create|alter|drop|explain|pragma|values)\b/i.test(text)
  )
}
