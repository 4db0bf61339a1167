'use client'
/** Opens a dry run for any call or tool on the screen; the dialog itself is in `components/dry-run`. */
import { createContext, useContext } from 'react'

/** A call as the policies receive it. */
export interface DryRunCall {
  /** Empty while no tool is chosen. */
  readonly tool: string
  /** The arguments as a model would write them. */
  readonly text: string
  /** For a call of an agent that is called. */
  readonly inside?: CallInside | undefined
}

interface CallInside {
  /** The names of the tools that lead to the agent, from the one that is drawn. */
  readonly through: readonly string[]
  /** The tools of the agent, as far as they are known. */
  readonly tools: readonly string[]
}

export const DryRunContext = createContext<((call?: Partial<DryRunCall>) => void) | null>(null)

/** Null where no agent is drawn and so there are no policies to check. */
export function useDryRun() {
  return useContext(DryRunContext)
}
