'use client'
/** What a call would be given, key by key; a long text shows its first lines until all of it is asked for. */
import { useState } from 'react'
import type { JsonObject, JsonValue } from '#lib/spec/json'
import { visible } from '#lib/spec/visible'
import styles from './ask-card.module.css'

const fewLines = 3

export function ApprovalArguments({ args }: { args: JsonObject }) {
  const all = Object.entries(args)
  if (all.length === 0) return <p className={styles.quiet}>It takes no arguments.</p>
  return (
    // What scrolls must be reached by keys.
    <dl className={styles.arguments} tabIndex={0} aria-label="Arguments">
      {all.map(([key, value]) => (
        <Argument key={key} name={key} value={value} />
      ))}
    </dl>
  )
}

function Argument({ name, value }: { name: string; value: JsonValue }) {
  const [isAll, setAll] = useState(false)
  const text = visible(typeof value === 'string' ? value : JSON.stringify(value, null, 2))
  const lines = text.replace(/\n$/, '').split('\n')
  // One line more costs no more than the words that would stand for it.
  const isCut = !isAll && lines.length > fewLines + 1
  return (
    <>
      <dt title={visible(name)}>{visible(name)}</dt>
      <dd>
        {isCut ? lines.slice(0, fewLines).join('\n') : text}
        {isCut && (
          <button type="button" className={styles.more} onClick={() => setAll(true)}>
            {lines.length - fewLines} more lines
          </button>
        )}
      </dd>
    </>
  )
}
