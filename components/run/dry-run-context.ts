'use client'
/** Opens a dry run for any call or tool on the screen; the dialog itself is in `components/dry-run`. */
import { createContext, useContext } from 'react'

/** A call as the policies receive it. */
export interface DryRunCall {
  /** Empty while no tool is chosen. */
  readonly tool: string
  /** The arguments as a model would write them. */
  readonly text: string
}

export const DryRunContext = createContext<((call?: Partial<DryRunCall>) => void) | null>(null)

/** Null where no agent is drawn and so there are no policies to check. */
export function useDryRun() {
  return useContext(DryRunContext)
}
