'use client'
/** What a tool gave back, drawn for a reader: text, markdown, JSON, tables, images. */
import { useMemo, useState } from 'react'
import { Button } from '#components/ui/button'
import { Markdown } from '#components/ui/markdown'
import { api } from '#lib/http/client'
import type { JsonValue } from '#lib/spec/json'
import type { Block } from '#lib/spec/message'
import { DataTable } from './data-table'
import { count } from './figures'
import { JsonTree } from './json-tree'
import { readingOf } from './kind-of-text'
import styles from './rendered.module.css'
import { isSql, sqlPieces } from './sql'

export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  if (blocks.length === 0) return <p className={styles.none}>no output</p>
  // Blocks never move within one observation, so their place is their identity.
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

/** Markdown and JSON are known by their look. */
export function Text({ text }: { text: string }) {
  const reading = useMemo(() => readingOf(text), [text])
  if (reading.as === 'json') return <JsonTree value={reading.value} />
  if (reading.as === 'markdown') return <Markdown text={text} size="s" />
  return <Plain text={text} />
}

/** Characters drawn before somebody asks for all. */
const portion = 20_000

/** As it stands, to the letter. */
export function Plain({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  return (
    <>
      <pre className={styles.text}>{isWhole ? text : text.slice(0, portion)}</pre>
      {!isWhole && text.length > portion && (
        <Button size="s" onClick={() => setWhole(true)}>
          Show {count(text.length - portion)} more characters
        </Button>
      )}
    </>
  )
}

function Picture({ artifact }: { artifact: string }) {
  const [isBroken, setBroken] = useState(false)
  const url = api.artifactUrl(artifact)
  return (
    <a className={styles.picture} href={url} download>
      {isBroken ? (
        'Download the image'
      ) : (
        // biome-ignore lint/performance/noImgElement: it comes from this server as it is
        <img src={url} alt="Shown by the tool" onError={() => setBroken(true)} />
      )}
    </a>
  )
}

/** Arguments as key and value, one a line; long text keeps its line breaks, SQL its keywords. */
export function Arguments({ args }: { args: { readonly [key: string]: JsonValue } }) {
  const entries = Object.entries(args)
  if (entries.length === 0) return <p className={styles.none}>no arguments</p>
  return (
    <dl className={styles.arguments}>
      {entries.map(([key, value]) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>
            <Argument name={key} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Argument({ name, value }: { name: string; value: JsonValue }) {
  if (typeof value === 'string') return isSql(name, value) ? <Sql text={value} /> : <Plain text={value} />
  return typeof value === 'object' && value !== null ? <JsonTree value={value} /> : JSON.stringify(value)
}

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
