'use client'
/** How a person has set up the trace: what is folded, opened and shown, and what they search for. */
import { useCallback, useMemo, useState } from 'react'
import type { RunState } from '#lib/spec/state'
import { stepId } from './rows'
import type { Look } from './trace-list'
import { guessedHeight } from './trace-list'
import { type Filter, keepOf, noFilter } from './trace-search'
import { useRowHeight } from './use-row-height'

export function useTraceLook() {
  const [folded, setFolded] = useState<ReadonlySet<string>>(() => new Set(['tools']))
  const [opened, setOpened] = useState<Look['opened']>(() => new Map())
  const [filter, setFilter] = useState<Filter>(noFilter)
  const [query, setQuery] = useState('')
  /** A counter, so that a repeated request can be noticed. */
  const [asked, setAsked] = useState(0)
  const keep = useMemo(() => keepOf(filter), [filter])
  const rowHeight = useRowHeight()
  const look = useMemo((): Look => ({ folded, opened, keep, rowHeight }), [folded, opened, keep, rowHeight])
  const fold = useCallback((id: string) => setFolded((known) => withToggled(known, id)), [])
  const unfold = useCallback(
    (id: string) =>
      setFolded((known) => (known.has(id) ? new Set([...known].filter((each) => each !== id)) : known)),
    [],
  )
  const toggleOpen = useCallback(
    (id: string) =>
      setOpened((known) => {
        const next = new Map(known)
        return next.delete(id) ? next : next.set(id, guessedHeight)
      }),
    [],
  )
  const measured = useCallback(
    (id: string, height: number) =>
      setOpened((known) =>
        !known.has(id) || known.get(id) === height ? known : new Map(known).set(id, height),
      ),
    [],
  )
  return {
    look,
    filter,
    setFilter,
    query,
    setQuery,
    isFinding: asked > 0,
    asked,
    fold,
    unfold,
    toggleOpen,
    /** Stores the height of what opened below a row. */
    measured,
    find: useCallback(() => setAsked((known) => known + 1), []),
    endFinding: useCallback(() => {
      setAsked(0)
      setQuery('')
      setFilter(({ notes }) => ({ ...noFilter, notes }))
    }, []),
    toggleNotes: useCallback(() => setFilter((known) => ({ ...known, notes: !known.notes })), []),
    foldAll: useCallback((state: RunState) => {
      setFolded(new Set(['tools', ...state.steps.map(stepId)]))
      setOpened(new Map())
    }, []),
    unfoldAll: useCallback(() => setFolded(new Set()), []),
  }
}

export type TraceLook = ReturnType<typeof useTraceLook>

function withToggled(known: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(known)
  if (!next.delete(id)) next.add(id)
  return next
}
