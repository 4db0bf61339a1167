'use client'
/** JSON as a tree whose branches open: only what is open is drawn, and of long lists a part at a time. */
import { type ReactNode, useState } from 'react'
import { Icon } from '#components/ui/icon'
import type { JsonValue } from '#lib/spec/json'
import { count, plural } from './figures'
import styles from './rendered.module.css'

/** Members drawn at once, of one branch. */
const portion = 100

export function JsonTree({ value }: { value: JsonValue }) {
  return (
    <div className={styles.json}>
      <Node value={value} depth={0} />
    </div>
  )
}

interface NodeProps {
  readonly name?: string
  readonly value: JsonValue
  readonly depth: number
}

function Node({ name, value, depth }: NodeProps) {
  const label = name === undefined ? null : <span className={styles.key}>{name}: </span>
  if (value === null || typeof value !== 'object') {
    return (
      <div className={styles.leaf}>
        {label}
        <Scalar value={value} />
      </div>
    )
  }
  return <Branch label={label} value={value} depth={depth} />
}

function Scalar({ value }: { value: string | number | boolean | null }) {
  return <span data-type={value === null ? 'null' : typeof value}>{JSON.stringify(value)}</span>
}

function Branch({
  label,
  value,
  depth,
}: {
  label: ReactNode
  value: readonly JsonValue[] | { readonly [key: string]: JsonValue }
  depth: number
}) {
  const [isOpen, setOpen] = useState(depth < 2)
  const [shown, setShown] = useState(portion)
  const isList = Array.isArray(value)
  const total = isList ? value.length : Object.keys(value).length
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
          {Object.entries(value)
            .slice(0, shown)
            .map(([key, each]) => (
              <Node key={key} name={key} value={each} depth={depth + 1} />
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
