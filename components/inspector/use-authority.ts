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

/** The first tool that an entry offers or would offer, under the name the agent has it by; undefined while that is not known. */
export function useToolOf(node: string): string | undefined {
  const { data, hasErrors } = useAuthority()
  const origins = useGraph((state) => state.compiled.origins)
  const { offered = [], withheld = [] } = data?.authority ?? {}
  return hasErrors ? undefined : [...offered, ...withheld].find(({ entry }) => origins[entry] === node)?.name
}
