'use client'
/**
 * A text field with suggestions that narrow while a person types; any text is allowed. Arrows move, Enter
 * chooses, Escape closes.
 */
import { type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react'
import styles from './combo-field.module.css'
import { TextField } from './field'
import { Popover } from './popover'

export interface ComboFieldProps {
  readonly id?: string
  readonly value: string
  onChange(value: string): void
  readonly suggestions: readonly string[]
  readonly label?: string
  readonly placeholder?: string
  /** Has no frame of its own, for use inside another field. */
  readonly bare?: boolean
  /** The field that the suggestions are as wide as, when this one is only a part of it. */
  readonly within?: RefObject<HTMLElement | null>
  /** Highlights the first suggestion that fits what is typed, so that Enter chooses it. */
  readonly isEager?: boolean
  /** Called when a suggestion is chosen. Without it, the suggestion becomes the field's value. */
  onTake?(chosen: string): void
}

/** The most suggestions shown; typing finds the rest. */
const most = 200

export function ComboField({
  id,
  value,
  onChange,
  onTake = onChange,
  suggestions,
  label,
  bare,
  within,
  isEager,
  ...rest
}: ComboFieldProps) {
  const [isOpen, setOpen] = useState(false)
  // Until a person types, the current value does not filter the suggestions: all are offered.
  const [isTyped, setTyped] = useState(false)
  const [at, setAt] = useState(-1)
  const anchor = useRef<HTMLDivElement>(null)
  const list = useId()
  const found = isTyped ? matching(suggestions, value) : suggestions
  const shown = found.slice(0, most)
  const isShown = isOpen && shown.length > 0
  const open = () => {
    setOpen(true)
    setTyped(false)
    setAt(suggestions.indexOf(value))
  }
  const take = (chosen: string) => {
    onTake(chosen)
    setOpen(false)
  }
  const keys = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by !== 0) {
      event.preventDefault()
      if (!isOpen) return open()
      return setAt((known) =>
        known < 0 && by < 0 ? shown.length - 1 : (known + by + shown.length) % shown.length,
      )
    }
    const chosen = shown[at]
    const isPlainEnter = event.key === 'Enter' && !event.ctrlKey && !event.metaKey
    if (isPlainEnter && isShown && chosen !== undefined) {
      event.preventDefault()
      take(chosen)
    }
    if (event.key === 'Escape' && isShown) {
      event.preventDefault()
      event.stopPropagation()
      setOpen(false)
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only catches keys from the field
    <div ref={anchor} className={styles.combo} data-bare={bare || undefined} onKeyDown={keys}>
      <TextField
        {...rest}
        id={id}
        value={value}
        mono
        className={bare ? styles.bare : undefined}
        role="combobox"
        aria-label={label}
        aria-expanded={isShown}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={isShown && at >= 0 ? `${list}-${at}` : undefined}
        autoComplete="off"
        spellCheck={false}
        onChange={(typed) => {
          onChange(typed)
          setOpen(true)
          setTyped(true)
          setAt(isEager && typed !== '' ? eagerPlace(suggestions, typed) : -1)
        }}
        onClick={open}
        onBlur={() => setOpen(false)}
      />
      {isShown && (
        <Popover anchor={within ?? anchor} onClose={() => setOpen(false)}>
          <div role="listbox" id={list} aria-label="Suggestions" className={styles.list}>
            {shown.map((each, index) => (
              <Suggestion
                key={each}
                id={`${list}-${index}`}
                text={each}
                isAt={index === at}
                isChosen={each === value}
                onTake={() => take(each)}
              />
            ))}
          </div>
          {found.length > most && (
            <p className={styles.more}>{found.length - most} more; type to narrow them.</p>
          )}
        </Popover>
      )}
    </div>
  )
}

interface SuggestionProps {
  readonly id: string
  readonly text: string
  readonly isAt: boolean
  readonly isChosen: boolean
  onTake(): void
}

function Suggestion({ id, text, isAt, isChosen, onTake }: SuggestionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps the focus and handles the keys
    <div
      ref={(element) => {
        if (isAt) element?.scrollIntoView({ block: 'nearest' })
      }}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      data-at={isAt || undefined}
      className={styles.option}
      title={text}
      // Otherwise the field would lose the focus and close before the click arrives.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onTake}
    >
      {text}
    </div>
  )
}

/** Among the suggestions that fit: the one that was typed in full, or else the first. */
function eagerPlace(suggestions: readonly string[], typed: string): number {
  return Math.max(0, matching(suggestions, typed).indexOf(typed))
}

/** The entries that contain every word typed, in any order. */
export function matching(all: readonly string[], typed: string): readonly string[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return words.length === 0
    ? all
    : all.filter((each) => words.every((word) => each.toLowerCase().includes(word)))
}
