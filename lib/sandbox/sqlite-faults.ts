/**
 * Finds where in a statement SQLite found a mistake. Its messages name only a word, so this compiles parts of the
 * statement until it knows which of the equal words is meant.
 */
import type { SqlFailure, UnknownName } from '#lib/spec/sql'
import { type SqlToken, wordsOf } from '#lib/spec/sql-text'

/** Compiles a statement without running it; the message when that fails. */
type Compile = (sql: string) => string | undefined

/** The most occurrences of one word that are tried. */
const maxTried = 50

type Located = Pick<SqlFailure, 'offset' | 'unknown'>

/** What can be said about a message of SQLite on this statement; nothing when its form is not known. */
export function locateFault(sql: string, message: string, compile: Compile): Located {
  const syntax = /^near "([\s\S]+)": syntax error$/.exec(message)?.[1]
  if (syntax !== undefined) return offsetOf(syntaxPlace({ sql, message, near: syntax }, compile))
  const token = /^unrecognized token: "([\s\S]+)"$/.exec(message)?.[1]
  if (token !== undefined) return offsetOf(sql.indexOf(token))
  if (message === 'incomplete input') return { offset: sql.length }
  const column = /^no such column: ([\s\S]+?)(?: - should this be|$)/.exec(message)?.[1]
  if (column !== undefined) return unknownAt({ kind: 'column', name: column }, sql, compile)
  const table = /^no such table: ([\s\S]+)$/.exec(message)?.[1]
  if (table !== undefined) return unknownAt({ kind: 'table', name: table }, sql, compile)
  const other =
    /^(?:no such function|ambiguous column name|wrong number of arguments to function|misuse of aggregate:?) ?:? ?([\w."]+)/.exec(
      message,
    )?.[1]
  return other === undefined ? {} : offsetOf(chainsOf(sql, other)[0]?.start ?? -1)
}

function offsetOf(offset: number): Located {
  return offset < 0 ? {} : { offset }
}

/** A parser that reads from left to right gives the same message for the text up to the word that it stumbled over. */
function syntaxPlace(
  { sql, message, near }: { sql: string; message: string; near: string },
  compile: Compile,
): number {
  const tokens = wordsOf(sql, 'sqlite').filter(({ start, end }) => sql.slice(start, end) === near)
  const found = tokens.slice(0, maxTried).find(({ end }) => compile(sql.slice(0, end)) === message)
  return (found ?? tokens[0])?.start ?? sql.indexOf(near)
}

/** Of several equal names the one is meant without which the message goes away. */
function unknownAt(unknown: UnknownName, sql: string, compile: Compile): Located {
  const chains = chainsOf(sql, unknown.name)
  const [first] = chains
  if (first === undefined) return { unknown }
  if (unknown.kind === 'table' || chains.length === 1) return { offset: first.start, unknown }
  const message = compile(sql)
  const meant = chains.slice(0, maxTried).find(({ start, end }) => {
    const without = compile(`${sql.slice(0, start)}NULL${sql.slice(end)}`)
    return without !== message && !without?.includes('syntax error')
  })
  return { offset: (meant ?? first).start, unknown }
}

/** The places where a name with its qualifiers is written: `c.name`, in any quotes and case. */
function chainsOf(sql: string, name: string): { start: number; end: number }[] {
  const parts = name.toLowerCase().split('.')
  const tokens = wordsOf(sql, 'sqlite')
  const isDot = (token: SqlToken | undefined) => token !== undefined && sql[token.start] === '.'
  return tokens.flatMap((token, index) => {
    if (isDot(tokens[index - 1])) return []
    const length = parts.length * 2 - 1
    const chain = tokens.slice(index, index + length)
    const fits =
      chain.length === length &&
      chain.every((each, at) => (at % 2 === 1 ? isDot(each) : each.name?.toLowerCase() === parts[at / 2]))
    return fits ? [{ start: token.start, end: chain.at(-1)?.end ?? token.end }] : []
  })
}
