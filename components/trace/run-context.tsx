'use client'
/** Hands the followed run to the canvas, trace and run box of a page; each reader looks at as little as it needs. */
import { createContext, type ReactNode, useContext, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { createRunStore, type LiveRun, type RunActions, type RunStore } from './run-store'

const RunContext = createContext<RunStore | null>(null)

/** `run` is given where the page follows no stored run of this server, as a recorded one. */
export function RunProvider({ run, children }: { run?: RunStore; children: ReactNode }) {
  const [own] = useState(createRunStore)
  return <RunContext.Provider value={run ?? own}>{children}</RunContext.Provider>
}

function useRunContext() {
  const run = useContext(RunContext)
  if (run === null) throw new Error('no <RunProvider> around this component')
  return run
}

/** The whole run, for readers that look at it outside of rendering. */
export function useRunStore(): RunStore['store'] {
  return useRunContext().store
}

/** Asked again whenever the run moves on; the component renders only when what is selected differs. */
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
