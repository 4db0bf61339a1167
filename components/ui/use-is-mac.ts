'use client'
/** Whether to show Mac key symbols; false on the server, which cannot know. */
import { useSyncExternalStore } from 'react'

const never = () => () => undefined

export function useIsMac(): boolean {
  return useSyncExternalStore(
    never,
    () => /Mac|iPhone|iPad/.test(navigator.userAgent),
    () => false,
  )
}
