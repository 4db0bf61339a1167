'use client'
/** Goes to the row of a call that was selected elsewhere, and unfolds its step if needed. */
import { useEffect } from 'react'
import { usePointed } from '#components/run/run-context'
import { findRow, type TraceList } from './trace-list'
import type { TraceLook } from './use-trace-look'

export interface UsePointedRow {
  readonly list: TraceList
  readonly view: TraceLook
  /** Makes the row at that index active. */
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
    // The row is searched for again after the filter is removed and the step is unfolded.
    if (isFiltered) endFinding()
    unfold(`step-${pointed.step}`)
  }, [pointed, forget, list, isFiltered, unfold, endFinding, onGo])
}
