'use client'
/** A table in an observation: its head stays in view, numbers are aligned, and it can be copied as CSV. */
import { useMemo, useState } from 'react'
import { count, plural } from '#components/run/figures'
import { Button } from '#components/ui/button'
import { CopyButton } from '#components/ui/copy-button'
import type { JsonValue } from '#lib/spec/json'
import { jsonLine, shortenText } from '#lib/spec/line'
import { csvOf } from './csv'
import styles from './rendered.module.css'

/** Rows rendered at once. */
const portion = 200
/** Characters shown of a cell: more than its width ever shows. The copy contains all of them. */
const longestCell = 200

export interface DataTableProps {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly JsonValue[])[]
}

export function DataTable({ columns, rows }: DataTableProps) {
  const [most, setMost] = useState(portion)
  const shown = rows.slice(0, most)
  const numeric = useMemo(() => columns.map((_, index) => isNumeric(index, rows)), [columns, rows])
  return (
    <figure className={styles.figure}>
      <div className={styles.tableBox} tabIndex={0} role="region" aria-label="Table">
        <table className={styles.table}>
          <thead>
            <tr>
              {columns.map((each, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same name
                <th key={index} scope="col" data-number={numeric[index] || undefined}>
                  <bdi>{shortenText(each, longestCell)}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of an observation never move
              <tr key={at}>
                {columns.map((_, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: see above
                  <td key={index} data-number={typeof row[index] === 'number' || undefined}>
                    <bdi>{cellText(row[index])}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <figcaption>
        <span>{rows.length === 0 ? 'No rows' : plural(rows.length, 'row')}</span>
        {rows.length > shown.length && (
          <Button size="s" onClick={() => setMost(most + 5 * portion)}>
            Show {count(Math.min(5 * portion, rows.length - shown.length))} more
          </Button>
        )}
        {rows.length > 0 && <CopyButton isWide label="Copy as CSV" text={() => csvOf(columns, rows)} />}
      </figcaption>
    </figure>
  )
}

/** Examines only the rows that are rendered first. */
function isNumeric(index: number, rows: DataTableProps['rows']): boolean {
  const some = rows.slice(0, portion)
  return some.length > 0 && some.every((row) => typeof row[index] === 'number' || row[index] == null)
}

function cellText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number')
    return value.toLocaleString('en-US', {
      maximumFractionDigits: 6,
      useGrouping: !Number.isInteger(value) || Math.abs(value) >= 10_000,
    })
  return typeof value === 'string' ? shortenText(value, longestCell) : jsonLine(value, longestCell)
}
