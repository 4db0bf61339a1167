'use client'
/** How what names an entry of a run's config (a ruling, a call) leads to its node, on the page that has the drawing. */
import { createContext, useContext } from 'react'

/** Undefined for a path that no node stands for. */
type ShowEntry = (path: string) => (() => void) | undefined

const ShowEntryContext = createContext<ShowEntry>(() => undefined)
export const ShowEntryProvider = ShowEntryContext.Provider

export function useShowEntry(): ShowEntry {
  return useContext(ShowEntryContext)
}
