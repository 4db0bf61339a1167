'use client'
/** Goes to another page of the product unless a guard keeps the current one; returns a stable function. */
import { useRouter } from 'next/navigation'
import { useCallback } from 'react'
import { mayLeave } from './leaving'

export function useGoTo(): (href: string) => void {
  const router = useRouter()
  return useCallback(
    (href) => {
      if (mayLeave(href, window.location.href)) router.push(href)
    },
    [router],
  )
}
