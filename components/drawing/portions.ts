/** Work in portions: after each of them the page is painted, so that none holds up a frame for long. */

/**
 * Runs the next portion in a task of its own after the next frame, so that it does not add to the work of that
 * frame. Returns how to call it off.
 */
export function afterPaint(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(act)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/**
 * The maps on the way from `before` to `after`: each has at most `most` more entries of `after`, and the last has
 * all of them. An entry that is equal stays the same object.
 */
export function* mapsBetween<K, V>(
  before: ReadonlyMap<K, V>,
  after: ReadonlyMap<K, V>,
  { most, isEqual }: { readonly most: number; isEqual(a: V, b: V): boolean },
): Generator<ReadonlyMap<K, V>> {
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter((key) => {
    const [old, next] = [before.get(key), after.get(key)]
    return old === undefined || next === undefined || !isEqual(old, next)
  })
  const now = new Map(before)
  for (let from = 0; from < changed.length; from += most) {
    for (const key of changed.slice(from, from + most)) {
      const value = after.get(key)
      if (value === undefined) now.delete(key)
      else now.set(key, value)
    }
    yield new Map(now)
  }
}
