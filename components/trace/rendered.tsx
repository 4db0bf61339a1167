'use client'
import type { JsonValue } from '#lib/spec/json'
/** What a tool gave back, drawn for a reader: text, JSON, tables; or raw, exactly as stored. */
import type { Block } from '#lib/spec/message'
import styles from './rendered.module.css'

/** Rows of a table drawn at once; the whole stands under Raw. */
const shownRows = 50

export function Blocks({ blocks, raw }: { blocks: readonly Block[]; raw: boolean }) {
  if (raw) return <Json value={blocks as unknown as JsonValue} /* cast: blocks are JSON by their schema */ />
  if (blocks.length === 0) return <p className={styles.none}>no output</p>
  // Blocks never move within one observation, so their place is their identity.
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  return blocks.map((block, index) => <BlockView key={index} block={block} />)
}

function BlockView({ block }: { block: Block }) {
  switch (block.type) {
    case 'text':
      return <pre className={styles.text}>{block.text}</pre>
    case 'json':
      return <Json value={block.value} />
    case 'table':
      return <Table columns={block.columns} rows={block.rows} />
    case 'image':
      return <p className={styles.none}>image {block.artifact}</p>
    default:
      return block satisfies never
  }
}

export function Json({ value }: { value: JsonValue }) {
  return <pre className={styles.json}>{JSON.stringify(value, null, 2)}</pre>
}

function Table({ columns, rows }: { columns: readonly string[]; rows: readonly (readonly JsonValue[])[] }) {
  const shown = rows.slice(0, shownRows)
  return (
    <div className={styles.tableBox}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((each) => (
              <th key={each} data-number={isNumeric(columns.indexOf(each), shown) || undefined}>
                {each}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of an observation never move
            <tr key={at}>
              {columns.map((column, index) => (
                <td key={column} data-number={typeof row[index] === 'number' || undefined}>
                  {cellText(row[index])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className={styles.none}>no rows</p>}
      {rows.length > shown.length && (
        <p className={styles.none}>
          {(rows.length - shown.length).toLocaleString('en-US')} more rows, under Raw
        </p>
      )}
    </div>
  )
}

function isNumeric(index: number, rows: readonly (readonly JsonValue[])[]): boolean {
  return rows.length > 0 && rows.every((row) => typeof row[index] === 'number' || row[index] === null)
}

function cellText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number')
    return value.toLocaleString('en-US', {
      maximumFractionDigits: 6,
      useGrouping: !Number.isInteger(value) || Math.abs(value) >= 10_000,
    })
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Arguments as key and value, one a line; long text keeps its line breaks. */
export function Arguments({ args }: { args: { readonly [key: string]: JsonValue } }) {
  const entries = Object.entries(args)
  if (entries.length === 0) return <p className={styles.none}>no arguments</p>
  return (
    <dl className={styles.arguments}>
      {entries.map(([key, value]) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
