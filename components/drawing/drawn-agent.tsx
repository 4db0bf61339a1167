'use client'
/** Provides the id of the agent that is being drawn; null where a drawing is only looked at. */
import { createContext, useContext } from 'react'

export const DrawnAgentContext = createContext<string | null>(null)

export function useDrawnAgent(): string | null {
  return useContext(DrawnAgentContext)
}
