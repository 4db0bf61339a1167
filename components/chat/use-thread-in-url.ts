'use client'
/** Keeps the shown thread in the address, so that a reload, a link and the back button find it again. */
import { useSearchParams } from 'next/navigation'
import { useCallback } from 'react'

const key = 'thread'

/** `how`: a thread chosen by a person is a step of the history; one that has just begun is not. */
export type GoToThread = (id: string | null, how: 'push' | 'replace') => void

/** The thread in the current address; the rendered page follows it a moment later. */
export function threadInUrl(): string | null {
  return new URL(window.location.href).searchParams.get(key)
}

export function useThreadInUrl(): [string | null, GoToThread] {
  const id = useSearchParams().get(key)
  const go = useCallback<GoToThread>((next, how) => {
    const url = new URL(window.location.href)
    if (next === null) url.searchParams.delete(key)
    else url.searchParams.set(key, next)
    if (how === 'push') window.history.pushState(null, '', url)
    else window.history.replaceState(null, '', url)
  }, [])
  return [id, go]
}
