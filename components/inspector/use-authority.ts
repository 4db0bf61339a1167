'use client'
/** What the drawn agent may do, asked of the server once the drawing has rested; meanwhile the last answer stands. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useGraph, useGraphStore } from '#components/canvas/graph-context'
import { api } from '#lib/http/client'

const restMs = 350

export function useAuthority() {
  const store = useGraphStore()
  const text = useGraph((state) => state.compiled.text)
  const [rested, setRested] = useState(text)
  useEffect(() => {
    if (text === rested) return
    const timer = setTimeout(() => setRested(text), restMs)
    return () => clearTimeout(timer)
  }, [text, rested])
  const asked = useQuery({
    queryKey: ['authority', rested],
    queryFn: ({ signal }) => api.authority(store.getState().history.present, signal),
    enabled: rested !== null,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    gcTime: 60_000,
    retry: false,
  })
  return { ...asked, hasErrors: text === null }
}
