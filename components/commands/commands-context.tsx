'use client'
/** Collects the commands and search entries of the current page, and runs the command of a pressed key. */
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { type Command, commandFor, keyOf } from './commands'
import type { Entry } from './entries'
import { isOverPage, isTyping } from './typing'

/** What is open: the search over everything, the search over the drawing, or the sheet of shortcuts. */
export type OpenPanel = 'search' | 'find' | 'sheet' | null

/** Returns what the search can find besides commands, at the time of the call. */
export type EntrySource = () => readonly Entry[]

export interface CommandState {
  /** One list per component that registers commands, in the order they were mounted. */
  readonly commands: ReadonlyMap<symbol, readonly Command[]>
  readonly sources: ReadonlyMap<symbol, EntrySource>
  readonly opened: OpenPanel
}

export type CommandStore = StoreApi<CommandState>

const nothing: CommandState = { commands: new Map(), sources: new Map(), opened: null }
const CommandsContext = createContext<CommandStore | null>(null)

export function CommandsProvider({ children }: { children: ReactNode }) {
  const [store] = useState(() => createStore<CommandState>(() => nothing))
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      const pressed = keyOf(event)
      if (pressed === 'Escape' && isOverPage(event.target)) return
      const command = commandFor(allOf(store.getState()), pressed, isTyping(event.target))
      if (command === undefined) return
      event.preventDefault()
      command.run(pressed)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [store])
  return <CommandsContext.Provider value={store}>{children}</CommandsContext.Provider>
}

function allOf({ commands }: CommandState): Command[] {
  return [...commands.values()].flat()
}

/** For panels that read all commands; other components register theirs with `useCommands`. */
export function useCommandStore(): CommandStore {
  const store = useContext(CommandsContext)
  if (store === null) throw new Error('no <CommandsProvider> around this component')
  return store
}

/** Registers these commands while the component is mounted; pass a list whose identity changes only with its content. */
export function useCommands(commands: readonly Command[]): void {
  useRegistered('commands', commands)
}

/** Registers what can be found here while the component is mounted; `source` must stay the same function. */
export function useEntries(source: EntrySource): void {
  useRegistered('sources', source)
}

function useRegistered<K extends 'commands' | 'sources'>(
  kind: K,
  value: CommandState[K] extends ReadonlyMap<symbol, infer V> ? V : never,
): void {
  const store = useCommandStore()
  const [place] = useState(() => Symbol(kind))
  useEffect(() => {
    store.setState((known) => ({ ...known, [kind]: new Map<symbol, unknown>(known[kind]).set(place, value) }))
  }, [store, kind, place, value])
  useEffect(
    () => () =>
      store.setState((known) => {
        const rest = new Map<symbol, unknown>(known[kind])
        rest.delete(place)
        return { ...known, [kind]: rest }
      }),
    [store, kind, place],
  )
}

/** Returns everything that can be done, at the time of the call. */
export function useAllCommands(): () => readonly Command[] {
  const store = useCommandStore()
  return () => allOf(store.getState())
}

/** Returns everything that can be found besides commands, at the time of the call. */
export function useAllEntries(): EntrySource {
  const store = useCommandStore()
  return () => [...store.getState().sources.values()].flatMap((source) => source())
}

/** Opens the search or the sheet of shortcuts. */
export function useOpen(): (next: OpenPanel) => void {
  const store = useCommandStore()
  return (opened) => store.setState({ opened })
}
