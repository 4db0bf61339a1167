'use client'
/** The rows that match the search, and moving from one to the next. */
import { type RefObject, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { RunState } from '#lib/spec/state'
import { findRow, type TraceList } from './trace-list'
import { createSearch, type Match } from './trace-search'
import type { TraceLook } from './use-trace-look'

export interface Matches {
  readonly found: readonly Match[]
  readonly ids: ReadonlySet<string>
  /** The index of the match that is shown; -1 when none is. */
  readonly at: number
  step(by: 1 | -1): void
}

export interface UseMatches {
  readonly view: TraceLook
  readonly state: RunState | null
  readonly seq: number
  /** The current rows. */
  readonly list: RefObject<TraceList>
  onGo(index: number): void
}

const none: readonly Match[] = []

export function useMatches({ view, state, seq, list, onGo }: UseMatches): Matches {
  const [search] = useState(createSearch)
  const query = useDeferredValue(view.isFinding ? view.query : '')
  const { keep } = view.look
  const look = useMemo(() => ({ query, keep }), [query, keep])
  // While a run is active, the search is repeated only every twenty events, not in each frame.
  const pace = state?.finishedAt === undefined ? Math.floor(seq / 20) : seq
  // biome-ignore lint/correctness/useExhaustiveDependencies: `pace` stands for the state's content
  const found = useMemo(
    () => (state === null || look.query === '' ? none : search(state, look)),
    [state, pace, look, search],
  )
  const ids = useMemo(() => new Set(found.map((each) => each.id)), [found])
  const [shown, setShown] = useState<string | null>(null)
  const at = found.findIndex((each) => each.id === shown)
  // A row in a folded step can be shown only after the step is unfolded.
  const [going, setGoing] = useState<string | null>(null)
  const go = useRef(onGo)
  useEffect(() => {
    go.current = onGo
  })
  useEffect(() => {
    if (going === null) return
    setGoing(null)
    const placed = findRow(list.current, going)
    if (placed !== undefined) go.current(placed.index)
  }, [going, list])
  const { unfold } = view
  const show = useCallback(
    (match: Match) => {
      unfold(match.step === 0 ? 'tools' : `step-${match.step}`)
      setShown(match.id)
      setGoing(match.id)
    },
    [unfold],
  )
  const step = useCallback(
    (by: 1 | -1) => {
      const from = at < 0 && by < 0 ? 0 : at
      const match = found[(from + by + found.length) % found.length]
      if (match !== undefined) show(match)
    },
    [at, found, show],
  )
  // Typing goes to the first match at once; the trace growing later does not move the person again.
  const typed = useRef('')
  useEffect(() => {
    if (typed.current === query) return
    typed.current = query
    const [first] = found
    if (first !== undefined) show(first)
  }, [query, found, show])
  return { found, ids, at, step }
}
