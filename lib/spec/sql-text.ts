/** Splits a statement into its tokens, in the dialects of SQLite and PostgreSQL, in time that grows with its length alone. */
import type { SqlDialect } from './sql'

export interface SqlToken {
  readonly kind: 'space' | 'text' | 'name' | 'word' | 'end' | 'other'
  readonly start: number
  readonly end: number
  /** What a name means: a `name` without its quotes, a `word` as it is written. */
  readonly name?: string
}

// Every form ends at its closing mark or at the end of the text, so that no position is tried twice and matching is
// linear.
const space = /(?:\s|\uFEFF)+|--[^\n]*/y
const blockComment = /\/\*.*?(?:\*\/|$)/sy
const word = /[A-Za-z_\u0080-\uFFFF][\w$\u0080-\uFFFF]*/y
const plainText = /'[^']*(?:''[^']*)*'?/y
const doubled = /"([^"]*(?:""[^"]*)*)"?/y
const backquoted = /`([^`]*(?:``[^`]*)*)`?/y
const bracketed = /\[([^\]]*)\]?/y
const escapedText = /[eE]'[^'\\]*(?:(?:\\[\s\S]|'')[^'\\]*)*'?/y
const markedText = /(?:[bBxXnN]|[uU]&)'[^']*(?:''[^']*)*'?/y
const number = /\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+/y
const parameter = /\$\d+/y
const dollarMark = /\$(?:[A-Za-z_\u0080-\uFFFF][\w\u0080-\uFFFF]*)?\$/y

/** The tokens in order; together they are the whole text. */
export function* sqlTokens(sql: string, dialect: SqlDialect): Generator<SqlToken> {
  let start = 0
  while (start < sql.length) {
    const token = dialect === 'sqlite' ? sqliteToken(sql, start) : postgresToken(sql, start)
    yield token
    start = token.end
  }
}

/** Without spaces and comments. */
export function wordsOf(sql: string, dialect: SqlDialect): SqlToken[] {
  return [...sqlTokens(sql, dialect)].filter(({ kind }) => kind !== 'space')
}

function sqliteToken(sql: string, start: number): SqlToken {
  return (
    match(space, 'space', { sql, start }) ??
    match(blockComment, 'space', { sql, start }) ??
    match(plainText, 'text', { sql, start }) ??
    quoted(doubled, '"', { sql, start }) ??
    quoted(backquoted, '`', { sql, start }) ??
    quoted(bracketed, undefined, { sql, start }) ??
    common(sql, start)
  )
}

function postgresToken(sql: string, start: number): SqlToken {
  return (
    match(space, 'space', { sql, start }) ??
    nestedComment(sql, start) ??
    match(escapedText, 'text', { sql, start }) ??
    match(markedText, 'text', { sql, start }) ??
    match(plainText, 'text', { sql, start }) ??
    quoted(doubled, '"', { sql, start }) ??
    match(parameter, 'other', { sql, start }) ??
    dollarText(sql, start) ??
    common(sql, start)
  )
}

interface Place {
  readonly sql: string
  readonly start: number
}

function common(sql: string, start: number): SqlToken {
  const found = match(number, 'other', { sql, start }) ?? match(word, 'word', { sql, start })
  if (found !== undefined)
    return found.kind === 'word' ? { ...found, name: sql.slice(start, found.end) } : found
  const isEnd = sql[start] === ';'
  return { kind: isEnd ? 'end' : 'other', start, end: start + 1 }
}

function match(pattern: RegExp, kind: SqlToken['kind'], { sql, start }: Place): SqlToken | undefined {
  pattern.lastIndex = start
  return pattern.test(sql) ? { kind, start, end: pattern.lastIndex } : undefined
}

/** @param mark the quote, which stands for itself when it is doubled; undefined where it cannot be in a name */
function quoted(pattern: RegExp, mark: string | undefined, { sql, start }: Place): SqlToken | undefined {
  pattern.lastIndex = start
  const inside = pattern.exec(sql)?.[1]
  if (inside === undefined) return undefined
  const name = mark === undefined ? inside : inside.replaceAll(mark + mark, mark)
  return { kind: 'name', start, end: pattern.lastIndex, name }
}

/** PostgreSQL's comments may contain comments. */
function nestedComment(sql: string, start: number): SqlToken | undefined {
  if (!sql.startsWith('/*', start)) return undefined
  const mark = /\/\*|\*\//g
  mark.lastIndex = start
  let depth = 0
  for (let found = mark.exec(sql); found !== null; found = mark.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1
    if (depth === 0) return { kind: 'space', start, end: mark.lastIndex }
  }
  return { kind: 'space', start, end: sql.length }
}

/** `$$text$$` and `$mark$text$mark$`. */
function dollarText(sql: string, start: number): SqlToken | undefined {
  const opening = match(dollarMark, 'text', { sql, start })
  if (opening === undefined) return undefined
  const mark = sql.slice(start, opening.end)
  const close = sql.indexOf(mark, opening.end)
  return { kind: 'text', start, end: close < 0 ? sql.length : close + mark.length }
}

/** The line and column of a place in a text, both counted from 1. */
export function placeIn(sql: string, offset: number): { line: number; column: number } {
  const before = sql.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  const line = before.split('\n').length
  return { line, column: [...before.slice(lineStart)].length + 1 }
}
