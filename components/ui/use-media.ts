'use client'
/** Whether the window fits a media query; false on the server, which knows no window. */
import { useCallback, useSyncExternalStore } from 'react'

/** Windows in which every page is one column. The same width is in the style sheets. */
export const oneColumn = '(max-width: 899px)'
/** Windows in which the inspector and the chat of the builder share a column. */
export const sharedColumn = '(max-width: 1199px)'

export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  )
}
