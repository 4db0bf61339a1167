'use client'
/** Goes to the row of a call that was pointed at elsewhere, out of a folded step if need be. */
import { useEffect } from 'react'
import { usePointed } from '#components/run/run-context'
import { findRow, type TraceList } from './trace-list'
import type { TraceLook } from './use-trace-look'

export interface UsePointedRow {
  readonly list: TraceList
  readonly view: TraceLook
  /** Makes the row of that place the active one. */
  onGo(index: number): void
}

export function usePointedRow({ list, view, onGo }: UsePointedRow): void {
  const [pointed, forget] = usePointed()
  const { unfold, endFinding } = view
  const isFiltered = view.look.keep !== null
  useEffect(() => {
    if (pointed === null) return
    const placed = findRow(list, pointed.call)
    if (placed !== undefined) {
      forget()
      onGo(placed.index)
      return
    }
    // Looked for again in the rows as they stand without the filter and the fold.
    if (isFiltered) endFinding()
    unfold(`step-${pointed.step}`)
  }, [pointed, forget, list, isFiltered, unfold, endFinding, onGo])
}
