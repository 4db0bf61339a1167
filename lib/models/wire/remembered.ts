/**
 * Caches the text made from an object for as long as the object lives, so that old
 * messages are not encoded again.
 */
import type { Message } from '#lib/spec/message'

export type ToolResult = Extract<Message, { role: 'tool' }>

export function writeOnce<K extends object>(known: WeakMap<K, string>, key: K, make: () => string): string {
  let text = known.get(key)
  if (text === undefined) {
    text = make()
    known.set(key, text)
  }
  return text
}

/** The texts of a list, written once for as long as the list lives, and the same joined by commas. */
export function writeListOnce<T extends object>(
  write: (each: T) => string,
): (list: readonly T[]) => { readonly texts: readonly string[]; readonly joined: string } {
  const texts = new WeakMap<T, string>()
  const lists = new WeakMap<readonly T[], { readonly texts: readonly string[]; readonly joined: string }>()
  return (list) => {
    let written = lists.get(list)
    if (written === undefined) {
      const all = list.map((each) => writeOnce(texts, each, () => write(each)))
      written = { texts: all, joined: all.join(',') }
      lists.set(list, written)
    }
    return written
  }
}

/** A result is written again only if the wire id of its call has changed. */
export function writeResultsOnce(
  write: (message: ToolResult, id: string) => string,
): (message: ToolResult, id: string) => string {
  const known = new WeakMap<ToolResult, { readonly id: string; readonly text: string }>()
  return (message, id) => {
    const found = known.get(message)
    if (found?.id === id) return found.text
    const text = write(message, id)
    known.set(message, { id, text })
    return text
  }
}
