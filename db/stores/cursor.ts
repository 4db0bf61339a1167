/** Cursors of lists: opaque to clients, and checked when a client sends one back. */
import { AppError } from '#lib/spec/errors'
import type { Page } from '#lib/spec/store'

const pageSize = 50
const largestPage = 200

/** The number of items on a page, within the allowed range. */
export function pageLimit(asked: number | undefined): number {
  return Math.min(Math.max(1, asked ?? pageSize), largestPage)
}

/** Makes a page of up to `limit` rows from the `limit + 1` that were read. */
export function toPage<R, T>(
  rows: readonly R[],
  limit: number,
  toItem: (row: R) => T,
  cursorOf: (row: R) => string,
): Page<T> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const more = rows.length > limit && last !== undefined
  return more ? { items: items.map(toItem), next: cursorOf(last) } : { items: items.map(toItem) }
}

/** Reads a cursor of integers and ids joined by `.`; throws `bad_request` for anything else. */
export function readCursor(cursor: string, pattern: RegExp): RegExpExecArray {
  const match = pattern.exec(cursor)
  if (match === null)
    throw new AppError(
      'bad_request',
      'The cursor is not valid for this list. Use the value of "next" from its previous page.',
      { path: 'cursor' },
    )
  return match
}
