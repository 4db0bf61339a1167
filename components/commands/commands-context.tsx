'use client'
/** Gathers what can be done and found on the page shown, runs the command a key means, and opens the search and the sheet. */
import dynamic from 'next/dynamic'
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { createEarlyKeys } from '#components/shell/early-keys'
import { pageCommands } from '#components/shell/page-commands'
import { type Command, commandFor, keyOf } from './commands'
import type { Entry } from './entries'
import { isTyping } from './typing'
import { useGoTo } from './use-go-to'

/** What is open: the search over everything or over the drawing, or the sheet of keys. */
export type Opened = 'search' | 'find' | 'sheet' | null

/** Lists what can be found beside the commands, at the moment of asking. */
export type EntrySource = () => readonly Entry[]

interface Said {
  /** One list for each place that says some, in the order they appeared. */
  readonly commands: ReadonlyMap<symbol, readonly Command[]>
  readonly sources: ReadonlyMap<symbol, EntrySource>
  readonly opened: Opened
}

const nothing: Said = { commands: new Map(), sources: new Map(), opened: null }
const CommandsContext = createContext<StoreApi<Said> | null>(null)

// Their code is fetched when they are first opened.
const Search = dynamic(() => import('#components/shell/search').then((each) => each.Search), { ssr: false })
const KeySheet = dynamic(() => import('#components/shell/key-sheet').then((each) => each.KeySheet), {
  ssr: false,
})

export function CommandsProvider({ children }: { children: ReactNode }) {
  const [said] = useState(() => createStore<Said>(() => nothing))
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      const pressed = keyOf(event)
      const command = commandFor(allOf(said.getState()), pressed, isTyping(event.target))
      if (command === undefined) return
      event.preventDefault()
      command.run(pressed)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [said])
  return (
    <CommandsContext.Provider value={said}>
      {children}
      <OpenedPanel />
    </CommandsContext.Provider>
  )
}

/** The commands of every page, and what they open. */
function OpenedPanel() {
  const said = useSaid()
  const goTo = useGoTo()
  const opened = useStore(said, (state) => state.opened)
  const commands = useMemo(() => {
    const open = (next: Opened) =>
      said.setState((known) => ({ ...known, opened: known.opened === next ? null : next }))
    return pageCommands({ open, goTo, hasDrawing: () => said.getState().sources.size > 0 })
  }, [said, goTo])
  useCommands(commands)
  const close = useCallback(() => said.setState({ opened: null }), [said])
  const takeEarly = useEarlyKeys(said, close)
  if (opened === null) return null
  return opened === 'sheet' ? (
    <KeySheet onClose={close} />
  ) : (
    <Search key={opened} isDrawnOnly={opened === 'find'} takeEarly={takeEarly} onClose={close} />
  )
}

/** Listens from the moment the search is asked for, not only once it is drawn; gives what takes what was typed. */
function useEarlyKeys(said: StoreApi<Said>, close: () => void): () => string {
  const take = useRef((): string => '')
  useEffect(() => {
    const early = createEarlyKeys(window, close)
    take.current = early.take
    const stop = said.subscribe(({ opened }, before) => {
      if (opened === before.opened) return
      if (opened === 'search' || opened === 'find') early.begin()
      else early.take()
    })
    return () => {
      stop()
      early.take()
    }
  }, [said, close])
  return useCallback(() => take.current(), [])
}

function allOf({ commands }: Said): Command[] {
  return [...commands.values()].flat()
}

function useSaid(): StoreApi<Said> {
  const said = useContext(CommandsContext)
  if (said === null) throw new Error('no <CommandsProvider> around this component')
  return said
}

/** Says these while the component stands; pass a list that stays the same object while it says the same. */
export function useCommands(commands: readonly Command[]): void {
  useSaying('commands', commands)
}

/** Says what can be found here while the component stands; `source` must stay the same function. */
export function useEntries(source: EntrySource): void {
  useSaying('sources', source)
}

function useSaying<K extends 'commands' | 'sources'>(
  kind: K,
  value: Said[K] extends ReadonlyMap<symbol, infer V> ? V : never,
): void {
  const said = useSaid()
  const [place] = useState(() => Symbol(kind))
  useEffect(() => {
    said.setState((known) => ({ ...known, [kind]: new Map<symbol, unknown>(known[kind]).set(place, value) }))
  }, [said, kind, place, value])
  useEffect(
    () => () =>
      said.setState((known) => {
        const rest = new Map<symbol, unknown>(known[kind])
        rest.delete(place)
        return { ...known, [kind]: rest }
      }),
    [said, kind, place],
  )
}

/** All that can be done now, read at the moment of asking. */
export function useAllCommands(): () => readonly Command[] {
  const said = useSaid()
  return () => allOf(said.getState())
}

/** All that can be found now beside the commands, read at the moment of asking. */
export function useAllEntries(): EntrySource {
  const said = useSaid()
  return () => [...said.getState().sources.values()].flatMap((source) => source())
}

/** Opens the search, or the sheet of keys. */
export function useOpen(): (next: Opened) => void {
  const said = useSaid()
  return (opened) => said.setState({ opened })
}
