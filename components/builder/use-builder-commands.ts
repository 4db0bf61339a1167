'use client'
/** Registers the builder's commands, and holds the state of what they open. */
import { useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useCommands } from '#components/commands/commands-context'
import type { Autosave } from '#components/drawing/autosave'
import { useGraphStore } from '#components/drawing/graph-context'
import { useRunActions, useRunStore } from '#components/run/run-context'
import { isUnderWay } from '#components/run/run-store'
import { useLatest } from '#components/ui/use-latest'
import { builderCommands } from './builder-commands'
import type { BuilderActions } from './use-builder-actions'
import { askNow, focusedCard, inspectNow, toQuestion, walkRegions } from './walk-regions'

export interface BuilderKeys {
  readonly autosave: Autosave
  readonly actions: BuilderActions
  /** Shows the run box where it shares its space with the inspector. */
  onChat(): void
  onOutline(): void
  /** Shows the inspector where it shares its space with the run box. */
  onInspect(): void
  onVersions?(): void
}

export function useBuilderCommands(keys: BuilderKeys) {
  const store = useGraphStore()
  const run = useRunStore()
  const { cancel } = useRunActions()
  const [asked, setAsked] = useState(0)
  const [isRenaming, setRenaming] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const [isPublishing, setPublishing] = useState(false)
  const latest = useLatest(keys)
  const { autosave, actions } = keys
  const commands = useMemo(() => {
    return builderCommands({
      ...actions,
      ask: () => {
        flushSync(() => latest.current.onChat())
        askNow()
      },
      stop: () => void cancel(),
      isGoing: () => isUnderWay(run.getState()),
      save: () => {
        setAsked((times) => times + 1)
        void autosave.flush()
      },
      isWhole: () => store.getState().compiled.text !== null,
      rename: () => setRenaming(true),
      remove: () => setRemoving(true),
      publish: () => setPublishing(true),
      versions: () => latest.current.onVersions?.(),
      outline: () => {
        flushSync(() => latest.current.onOutline())
        document.querySelector<HTMLElement>('[role="tree"]')?.focus()
      },
      isOnCard: () => focusedCard() !== undefined,
      inspectCard: () => {
        const id = focusedCard()
        if (id === undefined) return
        store.getState().select({ nodes: [id] })
        latest.current.onInspect()
        inspectNow()
      },
      toRegion: (step) =>
        walkRegions(step, (region) => {
          if (region === 'inspector') latest.current.onInspect()
          if (region === 'question') latest.current.onChat()
        }),
    })
  }, [store, run, cancel, autosave, actions])
  useCommands(commands)
  useAskedByAddress(() => latest.current.onChat())
  return { asked, isRenaming, setRenaming, isRemoving, setRemoving, isPublishing, setPublishing }
}

/** `#ask` in the address, as set by the agents page, starts with the focus in the question field. */
function useAskedByAddress(onChat: () => void): void {
  const chat = useRef(onChat)
  useEffect(() => {
    if (window.location.hash !== '#ask') return
    chat.current()
    const frame = requestAnimationFrame(toQuestion)
    return () => cancelAnimationFrame(frame)
  }, [])
}
