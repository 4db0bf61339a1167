/** Keeps what is typed while the search is asked for and its code has not come yet. */

export interface EarlyKeys {
  /** From now on keys are kept; a second call changes nothing. */
  begin(): void
  /** Gives what was typed since, and lets keys go their own way again. */
  take(): string
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'>

/** The text after a key; undefined where the key writes nothing. */
export function withKey(text: string, { key, ctrlKey, metaKey, altKey, isComposing }: Pressed) {
  if (ctrlKey || metaKey || altKey || isComposing) return undefined
  if (key === 'Backspace') return [...text].slice(0, -1).join('')
  // Enter and Tab have nothing to act on yet, and must not act on the page behind.
  if (key === 'Enter' || key === 'Tab') return text
  return [...key].length === 1 ? text + key : undefined
}

/** `onEscape` is what Escape means meanwhile. */
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
