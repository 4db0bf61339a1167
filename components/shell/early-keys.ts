/** Stores what a person types between opening the search and the arrival of its code. */

export interface EarlyKeys {
  /** Starts storing keys; a second call has no effect. */
  begin(): void
  /** Returns what was typed since `begin`, and stops storing keys. */
  take(): string
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'>

/** The text after a key press; undefined when the key types nothing. */
export function withKey(text: string, { key, ctrlKey, metaKey, altKey, isComposing }: Pressed) {
  if (ctrlKey || metaKey || altKey || isComposing) return undefined
  if (key === 'Backspace') return [...text].slice(0, -1).join('')
  // Enter and Tab have nothing to act on yet, and must not act on the page behind the search.
  if (key === 'Enter' || key === 'Tab') return text
  return [...key].length === 1 ? text + key : undefined
}

/** `onEscape` handles Escape until then. */
export function createEarlyKeys(target: Window, onEscape: () => void): EarlyKeys {
  let text: string | null = null
  const press = (event: KeyboardEvent) => {
    const next = event.key === 'Escape' ? '' : withKey(text ?? '', event)
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    text = next
    if (event.key === 'Escape') onEscape()
  }
  return {
    begin() {
      if (text !== null) return
      text = ''
      target.addEventListener('keydown', press, { capture: true })
    },
    take() {
      target.removeEventListener('keydown', press, { capture: true })
      const typed = text ?? ''
      text = null
      return typed
    },
  }
}
