'use client'
/** Names the browser's tab after what the page shows. */
import { useEffect } from 'react'

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Loopwright`
  }, [title])
}
