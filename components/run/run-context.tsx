'use client'
/**
 * Provides the followed run to the canvas, trace and run box of a page; each reader selects only what it
 * needs.
 */
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { createRunStore, type FollowedRunStore, type LiveRun, type RunActions } from './run-store'

/** A call that another part of the page points at. */
export interface Pointed {
  readonly call: string
  readonly step: number
}

interface Known extends FollowedRunStore {
  readonly pointed: StoreApi<{ readonly at: Pointed | null }>
}

const RunContext = createContext<Known | null>(null)

/**
 * `run` is given where the page does not follow a stored run of this server, for example for a recorded one.
 */
export function RunProvider({ run, children }: { run?: FollowedRunStore; children: ReactNode }) {
  const [own] = useState(createRunStore)
  const [pointed] = useState(() => createStore<{ at: Pointed | null }>(() => ({ at: null })))
  const shown = run ?? own
  const known = useMemo(() => ({ ...shown, pointed }), [shown, pointed])
  return <RunContext.Provider value={known}>{children}</RunContext.Provider>
}

function useRunContext() {
  const run = useContext(RunContext)
  if (run === null) throw new Error('no <RunProvider> around this component')
  return run
}

/** The whole run, for reading outside of rendering. */
export function useRunStore(): FollowedRunStore['store'] {
  return useRunContext().store
}

/**
 * Runs `select` on each change of the run, and renders the component only when the selected value differs.
 */
export function useRun<T>(select: (run: LiveRun) => T, equal: (a: T, b: T) => boolean = Object.is): T {
  const known = useRef<{ value: T } | null>(null)
  return useStore(useRunContext().store, (run) => {
    const value = select(run)
    if (known.current !== null && equal(known.current.value, value)) return known.current.value
    known.current = { value }
    return value
  })
}

export function useRunActions(): RunActions {
  return useRunContext().actions
}

/** Makes the trace scroll to the row of a call. */
export function usePoint(): (at: Pointed) => void {
  const { pointed } = useRunContext()
  return (at) => pointed.setState({ at })
}

/** The call to go to, and a function to call once it is shown. */
export function usePointed(): readonly [Pointed | null, () => void] {
  const { pointed } = useRunContext()
  const at = useStore(pointed, (state) => state.at)
  const forget = useCallback(() => pointed.setState({ at: null }), [pointed])
  return [at, forget]
}
