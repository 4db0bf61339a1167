'use client'
/**
 * Where a run can be forked from one of its steps, the page provides the function for it; elsewhere no fork
 * is offered.
 */
import { createContext, type ReactNode, useContext } from 'react'
import type { StepPlace } from '#components/data/client'
import type { ForkEdit } from '#lib/spec/event'

/** The step to continue from, and the call or the change that was chosen. */
export interface ForkAim extends StepPlace {
  readonly callId?: string
  readonly edit?: ForkEdit
}

type Fork = (aim: ForkAim) => void

const ForkContext = createContext<Fork | null>(null)

export function ForkProvider({ fork, children }: { fork: Fork; children: ReactNode }) {
  return <ForkContext.Provider value={fork}>{children}</ForkContext.Provider>
}

export function useFork(): Fork | null {
  return useContext(ForkContext)
}
