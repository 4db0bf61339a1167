'use client'
/** What a tool returned, rendered for a reader: text, markdown, JSON, tables, images. */
import { useMemo, useState } from 'react'
import { api } from '#components/data/client'
import { Line } from '#components/ui/line'
import { LongText } from '#components/ui/long-text'
import { Markdown } from '#components/ui/markdown'
import type { JsonValue } from '#lib/spec/json'
import type { Block } from '#lib/spec/message'
import { visible } from '#lib/spec/visible'
import { DataTable } from './data-table'
import { JsonTree } from './json-tree'
import { readingOf } from './kind-of-text'
import styles from './rendered.module.css'
import { isSql, sqlPieces } from './sql'

export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  if (blocks.length === 0) return <p className={styles.none}>no output</p>
  // Blocks never move within one observation, so the index identifies them.
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  return blocks.map((block, index) => <BlockView key={index} block={block} />)
}

function BlockView({ block }: { block: Block }) {
  switch (block.type) {
    case 'text':
      return <Text text={block.text} />
    case 'json':
      return <JsonTree value={block.value} />
    case 'table':
      return <DataTable columns={block.columns} rows={block.rows} />
    case 'image':
      return <Picture artifact={block.artifact} />
    default:
      return block satisfies never
  }
}

/** Markdown and JSON are recognised by their content. */
export function Text({ text }: { text: string }) {
  const reading = useMemo(() => readingOf(text), [text])
  if (reading.as === 'json') return <JsonTree value={reading.value} />
  if (reading.as === 'markdown') return <Markdown text={text} size="s" />
  return <Plain text={text} />
}

/** Exactly the text, without interpretation. */
export function Plain({ text }: { text: string }) {
  return <LongText text={text} className={styles.text} />
}

function Picture({ artifact }: { artifact: string }) {
  const [isBroken, setBroken] = useState(false)
  const url = api.artifactUrl(artifact)
  return (
    <a className={styles.picture} href={url} download>
      {isBroken ? (
        'Download the image'
      ) : (
        // biome-ignore lint/performance/noImgElement: this server sends the image unchanged
        <img src={url} alt="Shown by the tool" onError={() => setBroken(true)} />
      )}
    </a>
  )
}

/**
 * Arguments as key and value, one per line; long text keeps its line breaks, and SQL keywords are
 * highlighted.
 */
export function Arguments({ args }: { args: { readonly [key: string]: JsonValue } }) {
  const entries = Object.entries(args)
  if (entries.length === 0) return <p className={styles.none}>no arguments</p>
  return (
    <dl className={styles.arguments}>
      {entries.map(([key, value]) => (
        <div key={key}>
          <dt>
            <Line text={key} />
          </dt>
          <dd>
            <Argument name={key} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Argument({ name, value }: { name: string; value: JsonValue }) {
  if (typeof value === 'string') {
    if (value.length <= longestSql && isSql(name, value)) return <Sql text={visible(value)} />
    return <LongText text={value} className={styles.text} showsMarks />
  }
  return typeof value === 'object' && value !== null ? (
    <JsonTree value={value} showsMarks />
  ) : (
    JSON.stringify(value)
  )
}

/** A longer statement is data, so it is not highlighted. */
const longestSql = 20_000

function Sql({ text }: { text: string }) {
  const pieces = useMemo(() => sqlPieces(text), [text])
  return (
    <pre className={styles.sql}>
      {pieces.map(({ kind, text: piece }, index) =>
        kind === 'plain' ? (
          piece
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never move
          <span key={index} data-kind={kind}>
            {piece}
          </span>
        ),
      )}
    </pre>
  )
}
