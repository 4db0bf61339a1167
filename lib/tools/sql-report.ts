/** How the tools that read a statement without running it say what they found. */
import type { SqlDialect, SqlFailure } from '#lib/spec/sql'
import { placeIn } from '#lib/spec/sql-text'
import type { NamesFound, WrongName } from './sql-names'

/** What the dialect is called. */
export const dialectNames: Readonly<Record<SqlDialect, string>> = {
  sqlite: 'SQLite',
  postgresql: 'PostgreSQL',
}

/** Characters shown of the line with the mistake, on each side of it. */
const shownAround = 60

/** Why a statement is not valid, and the line with a mark under the place. */
export function faultWords(sql: string, { message, offset }: SqlFailure): string {
  if (offset === undefined) return `Not valid: ${message}`
  const { line, column } = placeIn(sql, offset)
  return `Not valid: ${message} (line ${line}, column ${column})\n\n${excerpt(sql, offset)}`
}

function excerpt(sql: string, offset: number): string {
  const lineStart = sql.lastIndexOf('\n', offset - 1) + 1
  const nextLine = sql.indexOf('\n', offset)
  const from = Math.max(lineStart, offset - shownAround)
  const to = Math.min(nextLine < 0 ? sql.length : nextLine, offset + shownAround)
  return `${sql.slice(from, to)}\n${' '.repeat([...sql.slice(from, offset)].length)}^`
}

/** One line for a name that the database does not have. */
export function nameWords({ kind, name, line, column, near, fix }: WrongName): string {
  const where = `line ${line}, column ${column}`
  const meant =
    fix !== undefined
      ? `use ${fix}`
      : near.length > 0
        ? `it could be ${near.join(' or ')}`
        : `nothing is called like it; read the names with schema.list_${kind === 'table' ? 'tables' : 'columns'}`
  return `- There is no ${kind} ${name} (${where}): ${meant}.`
}

/** The facts about wrong names, for programs. */
export function nameFacts({ names }: NamesFound) {
  return names.map(({ kind, name, line, column, near, fix }) => ({
    ...{ kind, name, line, column, near: [...near] },
    fix: fix ?? null,
  }))
}
