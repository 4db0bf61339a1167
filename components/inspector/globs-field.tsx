'use client'
/** Words as chips: patterns over tool names with the tools they match, or any list of strings. */
import { type KeyboardEvent, useState } from 'react'
import { strings } from '#components/canvas/describe'
import { useGraph } from '#components/canvas/graph-context'
import { IconButton } from '#components/ui/button'
import { matchesAny } from '#lib/spec/glob'
import type { JsonValue } from '#lib/spec/json'
import styles from './globs-field.module.css'
import type { Change } from './scalar-field'

export interface ChipsProps {
  id: string
  value: JsonValue | undefined
  onChange: Change
}

export function GlobsField({ id, value, onChange, use }: ChipsProps & { use?: string }) {
  const tools = useGraph((state) => state.catalog.tools)
  const globs = strings(value)
  const known = tools.filter((each) => use === undefined || each.use === use)
  const matching = known.filter((each) => matchesAny(globs, each.name))
  const suggestions = [
    ...familiesOf(known.map((each) => each.name)),
    ...known.map((each) => each.name),
  ].filter((each) => !globs.includes(each))
  return (
    <div>
      <Chips
        id={id}
        items={globs}
        onChange={onChange}
        placeholder="add a tool or pattern"
        suggestions={suggestions}
      />
      {globs.length > 0 && (
        <p className={styles.matches}>
          {matching.length === 0
            ? 'Matches no tool known here.'
            : `Matches ${matching.length === known.length && known.length > 1 ? `all ${known.length} tools: ` : ''}`}
          {matching.length > 0 && (
            <span className={styles.names}>{matching.map((each) => each.name).join(', ')}</span>
          )}
        </p>
      )}
    </div>
  )
}

export function ListField({ id, value, onChange }: ChipsProps) {
  return <Chips id={id} items={strings(value)} onChange={onChange} placeholder="add" suggestions={[]} />
}

/** `schema.*` for each prefix that several tools share. */
function familiesOf(names: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const name of names) {
    const dot = name.indexOf('.')
    if (dot > 0) counts.set(name.slice(0, dot), (counts.get(name.slice(0, dot)) ?? 0) + 1)
  }
  return [...counts].flatMap(([prefix, count]) => (count > 1 ? [`${prefix}.*`] : []))
}

interface ChipListProps {
  id: string
  items: readonly string[]
  onChange: Change
  placeholder: string
  suggestions: readonly string[]
}

function Chips({ id, items, onChange, placeholder, suggestions }: ChipListProps) {
  const [text, setText] = useState('')
  const add = (typed: string) => {
    const fresh = typed.split(/[,\s]+/).filter((each) => each !== '' && !items.includes(each))
    setText('')
    if (fresh.length > 0) onChange([...items, ...new Set(fresh)])
  }
  const change = (typed: string) =>
    suggestions.includes(typed) || /[,\s]$/.test(typed) ? add(typed) : setText(typed)
  const keys = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      add(text)
    }
    if (event.key === 'Backspace' && text === '' && items.length > 0) onChange(items.slice(0, -1))
  }
  return (
    <div className={styles.chips}>
      {items.map((each) => (
        <span key={each} className={styles.chip}>
          {each}
          <IconButton
            icon="x"
            size="s"
            label={`Remove ${each}`}
            className={styles.remove}
            onClick={() => onChange(items.filter((item) => item !== each))}
          />
        </span>
      ))}
      <input
        id={id}
        className={styles.input}
        value={text}
        placeholder={placeholder}
        list={suggestions.length > 0 ? `${id}-list` : undefined}
        onChange={(event) => change(event.target.value)}
        onKeyDown={keys}
        onBlur={() => add(text)}
        autoComplete="off"
        spellCheck={false}
      />
      <datalist id={`${id}-list`}>
        {suggestions.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </div>
  )
}
