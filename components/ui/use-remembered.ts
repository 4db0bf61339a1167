'use client'
/** One short text that this browser keeps under a name, the same for all who read it. */
import { useCallback, useSyncExternalStore } from 'react'

/** Null until something was kept, and while the server draws the page. */
export function useRemembered(name: string): [string | null, (value: string) => void] {
  const key = `loopwright:${name}`
  const subscribe = useCallback(
    (told: () => void) => {
      window.addEventListener(key, told)
      window.addEventListener('storage', told)
      return () => {
        window.removeEventListener(key, told)
        window.removeEventListener('storage', told)
      }
    },
    [key],
  )
  const value = useSyncExternalStore(
    subscribe,
    () => read(key),
    () => null,
  )
  const keep = useCallback(
    (text: string) => {
      try {
        localStorage.setItem(key, text)
      } catch {
        // A browser that keeps nothing begins anew at the next visit.
      }
      window.dispatchEvent(new Event(key))
    },
    [key],
  )
  return [value, keep]
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
