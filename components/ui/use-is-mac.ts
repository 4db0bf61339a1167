'use client'
/** Whether keys are told by their signs on a Mac; the server, which cannot know, says no. */
import { useSyncExternalStore } from 'react'

const never = () => () => undefined

export function useIsMac(): boolean {
  return useSyncExternalStore(
    never,
    () => /Mac|iPhone|iPad/.test(navigator.userAgent),
    () => false,
  )
}
