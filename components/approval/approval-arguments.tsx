'use client'
/**
 * The arguments of a waiting call, key by key; a long text shows its first lines until a person asks for all
 * of it.
 */
import { useMemo, useState } from 'react'
import { count } from '#components/run/figures'
import { Line } from '#components/ui/line'
import { LongText } from '#components/ui/long-text'
import shared from '#components/ui/shared.module.css'
import type { JsonObject, JsonValue } from '#lib/spec/json'
import { lineOf } from '#lib/spec/line'
import styles from './ask-card.module.css'
import { firstLines } from './first-lines'

const fewLines = 8
/** Characters of a text rendered before the person asks for more. */
const fewChars = 2_000

export function ApprovalArguments({ args }: { args: JsonObject }) {
  const all = Object.entries(args)
  if (all.length === 0) return <p className={shared.quiet}>It takes no arguments.</p>
  return (
    // A scrollable element must be reachable by keyboard.
    <dl className={styles.arguments} tabIndex={0} aria-label="Arguments">
      {all.map(([key, value]) => (
        <Argument key={key} name={key} value={value} />
      ))}
    </dl>
  )
}

function Argument({ name, value }: { name: string; value: JsonValue }) {
  const [isAll, setAll] = useState(false)
  const text = useMemo(() => (typeof value === 'string' ? value : JSON.stringify(value, null, 2)), [value])
  const few = useMemo(() => firstLines(text, fewLines), [text])
  // One more line takes no more space than the button that would replace it.
  const isCut = !isAll && few.more > 1
  return (
    <>
      <dt title={lineOf(name)}>
        <Line text={name} />
      </dt>
      <dd>
        <LongText text={isCut ? few.text : text} first={fewChars} showsMarks />
        {isCut && (
          <button type="button" className={styles.more} onClick={() => setAll(true)}>
            {count(few.more)} more lines
          </button>
        )}
      </dd>
    </>
  )
}
