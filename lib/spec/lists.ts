/** Lists that are kept by key. */

/** Puts an item at the end of the list of its key, which it starts if there is none. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, item: V): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}
