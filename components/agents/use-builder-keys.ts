'use client'
/** The builder's keys: undo, redo, delete, duplicate, choose all, let go; with nothing chosen, Escape stops the run. */
import { useEffect } from 'react'
import { useGraphStore } from '#components/canvas/graph-context'
import type { GraphStore } from '#components/canvas/graph-store'
import { deleteSelection, duplicateSelection } from '#components/canvas/part'
import { useRun, useRunActions } from '#components/trace/run-context'
import type { LiveRun } from '#components/trace/run-store'
import { isTyping } from './use-hotkey'

/** Begun, and not over. */
export function isUnderWay({ runId, state }: LiveRun): boolean {
  return runId !== null && state !== null && state.finishedAt === undefined
}

export function useBuilderKeys(): void {
  const store = useGraphStore()
  const { cancel } = useRunActions()
  const isGoing = useRun(isUnderWay)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.altKey || event.defaultPrevented) return
      const stop = isGoing ? () => void cancel() : undefined
      const run = actionOf(event, store) ?? (event.key === 'Escape' ? stop : undefined)
      if (run === undefined) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [store, cancel, isGoing])
}

function actionOf(event: KeyboardEvent, store: GraphStore): (() => void) | undefined {
  const state = store.getState()
  const key = event.key.toLowerCase()
  if (event.metaKey || event.ctrlKey) {
    if (key === 'z') return event.shiftKey ? state.redo : state.undo
    if (key === 'y') return state.redo
    if (key === 'd') return () => duplicateSelection(store)
    if (key === 'a') {
      const { nodes, notes } = state.history.present
      return () => state.select({ nodes: nodes.map((each) => each.id), notes: notes.map((each) => each.id) })
    }
    return undefined
  }
  const { nodes, notes, edges } = state.selection
  const hasSelection = nodes.length + notes.length + edges.length > 0
  if ((key === 'delete' || key === 'backspace') && hasSelection) return () => deleteSelection(store)
  if (key === 'escape' && hasSelection) return () => state.select({})
  return undefined
}
