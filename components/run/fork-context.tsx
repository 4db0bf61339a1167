'use client'
/** Where a run can go on from one of its steps, the page says how; elsewhere nothing of it is offered. */
import { createContext, type ReactNode, useContext } from 'react'
import type { ForkEdit } from '#lib/spec/event'

/** The step to go on from, and the call or the change that was pointed at. */
export interface ForkAim {
  readonly step: number
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
