'use client'
/** Lets any call or tool on the screen be put to a dry run; the dialog itself is `components/dry-run`. */
import { createContext, useContext } from 'react'

/** A call as it is put to the policies. */
export interface DryRunCall {
  /** Empty while none is chosen. */
  readonly tool: string
  /** The arguments as a model would write them. */
  readonly text: string
}

export const DryRunContext = createContext<((call?: Partial<DryRunCall>) => void) | null>(null)

/** Null where no agent is drawn whose policies could be asked. */
export function useDryRun() {
  return useContext(DryRunContext)
}
