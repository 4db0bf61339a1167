'use client'
/**
 * Words as chips: patterns over tool names, with the tools they match and their risks, or any list of
 * strings.
 */
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { strings } from '#components/drawing/describe'
import { useGraph } from '#components/drawing/graph-context'
import { IconButton } from '#components/ui/button'
import { ComboField } from '#components/ui/combo-field'
import { Icon } from '#components/ui/icon'
import { matchesAny, matchesGlob } from '#lib/spec/glob'
import type { JsonValue } from '#lib/spec/json'
import type { Change } from './change'
import styles from './globs-field.module.css'
import { ownToolNames, suggestGlobs } from './suggest-globs'
import { ToolRows } from './tool-rows'

export interface ChipsProps {
  readonly id: string
  readonly label: string
  readonly value: JsonValue | undefined
  readonly onChange: Change
}

export function GlobsField({ id, label, value, onChange, use }: ChipsProps & { use?: string }) {
  const catalog = useGraph((state) => state.catalog)
  const graph = useGraph((state) => (use === undefined ? state.history.present : null))
  const globs = strings(value)
  const own = useMemo(() => (graph === null ? [] : ownToolNames(graph, catalog)), [graph, catalog])
  const known = catalog.tools.filter((each) => use === undefined || each.use === use)
  const matching = known.filter((each) => matchesAny(globs, each.name))
  const names = [...new Set([...own, ...known.map((each) => each.name)])]
  const suggestions = suggestGlobs(own, names).filter((each) => !globs.includes(each))
  const stray = globs.filter((glob) => !names.some((each) => matchesGlob(glob, each)))
  return (
    <div className={styles.stack}>
      <Chips
        id={id}
        label={label}
        items={globs}
        stray={stray}
        onChange={onChange}
        placeholder="add pattern"
        suggestions={suggestions}
      />
      {stray.length > 0 && (
        <p className={styles.stray} role="status">
          <Icon name="triangle-alert" size={12} />
          {stray.join(', ')} {stray.length === 1 ? 'matches' : 'match'} no known tool.
        </p>
      )}
      {matching.length > 0 && <ToolRows tools={matching} label={`Tools that ${label} matches`} />}
    </div>
  )
}

export function ListField({
  id,
  label,
  value,
  onChange,
  options,
}: ChipsProps & { options?: readonly string[] }) {
  const items = strings(value)
  if (options === undefined)
    return (
      <Chips id={id} label={label} items={items} onChange={onChange} placeholder="add" suggestions={[]} />
    )
  return (
    <div role="group" id={id} aria-label={label} className={styles.choices}>
      {options.map((each) => {
        const isOn = items.includes(each)
        return (
          <button
            key={each}
            type="button"
            className={styles.choice}
            aria-pressed={isOn}
            onClick={() => onChange(options.filter((word) => (word === each ? !isOn : items.includes(word))))}
          >
            {isOn && <Icon name="check" size={12} />}
            {each.replaceAll('_', ' ')}
          </button>
        )
      })}
    </div>
  )
}

interface ChipListProps {
  readonly id: string
  readonly label: string
  readonly items: readonly string[]
  readonly stray?: readonly string[]
  readonly onChange: Change
  readonly placeholder: string
  readonly suggestions: readonly string[]
}

function Chips({ id, label, items, stray = [], onChange, placeholder, suggestions }: ChipListProps) {
  const [text, setText] = useState('')
  const frame = useRef<HTMLDivElement>(null)
  const add = (typed: string) => {
    const fresh = typed.split(/[,\s]+/).filter((each) => each !== '' && !items.includes(each))
    setText('')
    if (fresh.length > 0) onChange([...items, ...new Set(fresh)])
  }
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      // What is typed counts for the run that this key starts.
      if (text.trim() !== '') add(text)
      return
    }
    if (event.key === 'Enter' && !event.defaultPrevented) {
      event.preventDefault()
      add(text)
    }
    if (event.key === 'Backspace' && text === '' && items.length > 0) onChange(items.slice(0, -1))
  }
  return (
    <div ref={frame} className={styles.chips}>
      {items.map((each) => (
        <span key={each} className={styles.chip} data-stray={stray.includes(each) || undefined} title={each}>
          <span className={styles.word}>{each}</span>
          <IconButton
            icon="x"
            size="s"
            label={`Remove ${each}`}
            className={styles.remove}
            onClick={() => onChange(items.filter((item) => item !== each))}
          />
        </span>
      ))}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only catches keys from the field */}
      <div className={styles.input} onKeyDown={keys} onBlur={() => add(text)}>
        <ComboField
          id={id}
          label={label}
          value={text}
          bare
          within={frame}
          isEager
          placeholder={placeholder}
          suggestions={suggestions}
          onChange={(typed) => (/[,\s]$/.test(typed) ? add(typed) : setText(typed))}
          onTake={add}
        />
      </div>
    </div>
  )
}
