'use client'
/** Goes to another page of the product; the function stays the same. */
import { useRouter } from 'next/navigation'
import { useCallback } from 'react'

export function useGoTo(): (href: string) => void {
  const router = useRouter()
  return useCallback((href) => router.push(href), [router])
}
