'use client'
/**
 * Lets anything that names an entry of a run's config (a ruling, a call) show its node, on a page with the
 * drawing.
 */
import { createContext, useContext } from 'react'

/** Undefined for a path without a node. */
type ShowEntry = (path: string) => (() => void) | undefined

const ShowEntryContext = createContext<ShowEntry>(() => undefined)
export const ShowEntryProvider = ShowEntryContext.Provider

export function useShowEntry(): ShowEntry {
  return useContext(ShowEntryContext)
}
