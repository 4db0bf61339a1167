'use client'
/**
 * What the drawn agent may do, requested from the server when the drawing has stopped changing; until then
 * the last answer is shown.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '#components/data/client'
import { useGraph, useGraphStore } from './graph-context'
import type { GraphStore } from './graph-store'
import { permitsOf } from './permits'

const restMs = 350

export function useAuthority() {
  const store = useGraphStore()
  const text = useGraph((state) => state.compiled.text)
  const [rested, setRested] = useState(() => compiledTextOf(store))
  useEffect(() => {
    if (text === rested.text) return
    const timer = setTimeout(() => setRested(compiledTextOf(store)), restMs)
    return () => clearTimeout(timer)
  }, [text, rested, store])
  const asked = useQuery({
    queryKey: ['authority', rested.text],
    queryFn: ({ signal }) => api.authority(rested.graph, signal),
    enabled: rested.text !== null,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    gcTime: 60_000,
    retry: false,
  })
  return { ...asked, rested, hasErrors: text === null }
}

/**
 * The answer is cached under the compiled text, so the request must use the drawing that this text was made
 * from, not a later one.
 */
function compiledTextOf(store: GraphStore) {
  const { compiled, compiledOf } = store.getState()
  return { text: compiled.text, graph: compiledOf, origins: compiled.origins }
}

/**
 * Marks the cards with what the policies allow. While an answer is awaited, or the drawing has errors, the last
 * marks stay, so that they do not flicker as a person types.
 */
export function useDrawnPermits(): void {
  const store = useGraphStore()
  const { data, isPlaceholderData, rested } = useAuthority()
  const authority = data?.authority
  useEffect(() => {
    if (authority == null || isPlaceholderData) return
    const { permits, permit } = store.getState()
    permit(permitsOf(authority, rested.origins, permits))
  }, [store, authority, isPlaceholderData, rested])
}

/**
 * The first tool that an entry offers or would offer, by the name it has in the agent; undefined while that
 * is not known.
 */
export function useToolOf(node: string): string | undefined {
  const { data, hasErrors, isPlaceholderData, rested } = useAuthority()
  // An answer about an earlier drawing has the paths of that drawing.
  if (hasErrors || isPlaceholderData) return undefined
  const { offered = [], withheld = [] } = data?.authority ?? {}
  return [...offered, ...withheld].find(({ entry }) => rested.origins[entry] === node)?.name
}
