'use client'
/** One short text that this browser stores under a name, shared by all components that read it. */
import { useCallback, useSyncExternalStore } from 'react'

/** Null until something is stored, and during server rendering. */
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
        // If the browser stores nothing, the next visit starts without it.
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
