/** Text that is made once for an object and kept as long as that lives: what is old of a request costs nothing again. */
import type { Message } from '#lib/spec/message'

export type Result = Extract<Message, { role: 'tool' }>

export function remembered<K extends object>(known: WeakMap<K, string>, key: K, make: () => string): string {
  let text = known.get(key)
  if (text === undefined) {
    text = make()
    known.set(key, text)
  }
  return text
}

/** Results are written anew only when the id of their call on the wire is another. */
export function rememberedResults(
  write: (message: Result, id: string) => string,
): (message: Result, id: string) => string {
  const known = new WeakMap<Result, { readonly id: string; readonly text: string }>()
  return (message, id) => {
    const found = known.get(message)
    if (found?.id === id) return found.text
    const text = write(message, id)
    known.set(message, { id, text })
    return text
  }
}
