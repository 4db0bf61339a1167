'use client'
/** The commands of every page, and the panels they open: the search and the sheet of shortcuts. */
import dynamic from 'next/dynamic'
import { usePathname } from 'next/navigation'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import {
  type CommandStore,
  type OpenPanel,
  useCommandStore,
  useCommands,
} from '#components/commands/commands-context'
import { useGoTo } from '#components/commands/use-go-to'
import { createEarlyKeys } from './early-keys'
import { pageCommands } from './page-commands'

// Their code is loaded when they are first opened.
const Search = dynamic(() => import('./search').then((each) => each.Search), { ssr: false })
const KeySheet = dynamic(() => import('./key-sheet').then((each) => each.KeySheet), {
  ssr: false,
})

export function OpenedPanel() {
  const store = useCommandStore()
  const goTo = useGoTo()
  const opened = useStore(store, (state) => state.opened)
  // A page for holders of a key leads nowhere else, and its key could not search there.
  const isLent = usePathname().startsWith('/talk/')
  const commands = useMemo(() => {
    const open = (next: OpenPanel) =>
      store.setState((known) => ({ ...known, opened: known.opened === next ? null : next }))
    const all = pageCommands({ open, goTo, hasDrawing: () => store.getState().sources.size > 0 })
    return isLent ? all.filter(({ id }) => id === 'page.keys' || id.startsWith('theme.')) : all
  }, [store, goTo, isLent])
  useCommands(commands)
  const close = useCallback(() => store.setState({ opened: null }), [store])
  const takeEarly = useEarlyKeys(store, close)
  if (opened === null) return null
  return opened === 'sheet' ? (
    <KeySheet onClose={close} />
  ) : (
    <Search key={opened} isDrawnOnly={opened === 'find'} takeEarly={takeEarly} onClose={close} />
  )
}

/**
 * Stores keys from the moment the search is requested, before it is rendered; returns a function that takes
 * the typed text.
 */
function useEarlyKeys(store: CommandStore, close: () => void): () => string {
  const take = useRef((): string => '')
  useEffect(() => {
    const early = createEarlyKeys(window, close)
    take.current = early.take
    const stop = store.subscribe(({ opened }, before) => {
      if (opened === before.opened) return
      if (opened === 'search' || opened === 'find') early.begin()
      else early.take()
    })
    return () => {
      stop()
      early.take()
    }
  }, [store, close])
  return useCallback(() => take.current(), [])
}
