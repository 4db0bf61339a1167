'use client'
/** JSON as a tree whose branches open. Only open branches are rendered, and long lists one part at a time. */
import { type ReactNode, useMemo, useState } from 'react'
import { count, plural } from '#components/run/figures'
import { Icon } from '#components/ui/icon'
import { LongText } from '#components/ui/long-text'
import type { JsonValue } from '#lib/spec/json'
import { lineOf, shortenText } from '#lib/spec/line'
import { visible } from '#lib/spec/visible'
import styles from './rendered.module.css'

/** Members of one branch rendered at once. */
const portion = 100

export interface JsonTreeProps {
  readonly value: JsonValue
  /** Shows invisible and direction-changing characters by their code numbers. */
  readonly showsMarks?: boolean
}

export function JsonTree({ value, showsMarks = false }: JsonTreeProps) {
  return (
    <div className={styles.json}>
      <Node value={value} depth={0} showsMarks={showsMarks} />
    </div>
  )
}

interface NodeProps {
  readonly name?: string
  readonly value: JsonValue
  readonly depth: number
  readonly showsMarks: boolean
}

function Node({ name, value, depth, showsMarks }: NodeProps) {
  const label =
    name === undefined ? null : (
      <span className={styles.key}>
        <bdi>{showsMarks ? lineOf(name) : shortenText(name)}</bdi>:{' '}
      </span>
    )
  if (value === null || typeof value !== 'object') {
    return (
      <div className={styles.leaf}>
        {label}
        <Scalar value={value} showsMarks={showsMarks} />
      </div>
    )
  }
  return <Branch label={label} value={value} depth={depth} showsMarks={showsMarks} />
}

/** Characters of a text rendered at first; a tree may contain many long texts. */
const textPortion = 1_000

function Scalar({ value, showsMarks }: { value: string | number | boolean | null; showsMarks: boolean }) {
  const text = useMemo(() => JSON.stringify(value), [value])
  if (typeof value === 'string' && text.length > textPortion)
    return (
      <div data-type="string">
        <LongText text={text} first={textPortion} showsMarks={showsMarks} />
      </div>
    )
  return (
    <span data-type={value === null ? 'null' : typeof value}>
      <bdi>{showsMarks ? visible(text) : text}</bdi>
    </span>
  )
}

function Branch({
  label,
  value,
  depth,
  showsMarks,
}: {
  label: ReactNode
  value: readonly JsonValue[] | { readonly [key: string]: JsonValue }
  depth: number
  showsMarks: boolean
}) {
  const [isOpen, setOpen] = useState(depth < 2)
  const [shown, setShown] = useState(portion)
  const isList = Array.isArray(value)
  const keys = useMemo(() => (isList ? null : Object.keys(value)), [isList, value])
  const total = keys === null ? (isList ? value.length : 0) : keys.length
  if (total === 0) {
    return (
      <div className={styles.leaf}>
        {label}
        {isList ? '[]' : '{}'}
      </div>
    )
  }
  return (
    <div>
      <button type="button" className={styles.branch} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={12} />
        {label}
        <span className={styles.amount}>{plural(total, isList ? 'item' : 'key')}</span>
      </button>
      {isOpen && (
        <div className={styles.members}>
          {members(value, keys, shown).map(([key, each]) => (
            <Node key={key} name={key} value={each} depth={depth + 1} showsMarks={showsMarks} />
          ))}
          {total > shown && (
            <button type="button" className={styles.more} onClick={() => setShown(shown + 10 * portion)}>
              {count(total - shown)} more
            </button>
          )}
        </div>
      )}
    </div>
  )
}

/** The first members, without reading the others. */
function members(
  value: readonly JsonValue[] | { readonly [key: string]: JsonValue },
  keys: readonly string[] | null,
  shown: number,
): [string, JsonValue][] {
  if (isArray(value)) return value.slice(0, shown).map((each, index) => [String(index), each])
  return (keys ?? []).slice(0, shown).map((key) => [key, value[key] ?? null])
}

function isArray(value: JsonValue | readonly JsonValue[]): value is readonly JsonValue[] {
  return Array.isArray(value)
}
