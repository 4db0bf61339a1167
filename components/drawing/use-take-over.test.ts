import { describe, expect, it } from 'vitest'
import { smallCatalog as catalog } from '#components/canvas/catalog.fixture'
import { addNote } from '#lib/graph/edit'
import type { AgentView } from '#lib/wire/agents'
import { createAutosave } from './autosave'
import { createGraphStore } from './graph-store'
import { starterGraph } from './starter'
import { takeOver } from './use-take-over'

function open() {
  const graph = starterGraph(catalog, new Set())
  const store = createGraphStore({ graph, catalog })
  const autosave = createAutosave({
    graph,
    revision: 3,
    save: () => new Promise<never>(() => undefined),
    conflictOf: () => undefined,
    isPassing: () => false,
  })
  store.subscribe((state, before) => {
    if (state.history.present !== before.history.present) autosave.changed(state.history.present)
  })
  const theirs = (revision: number): AgentView => ({
    id: 'a',
    name: 'untitled-agent',
    graph: addNote(graph, { text: 'from elsewhere', at: [0, 0] }).graph,
    config: null,
    diagnostics: [],
    origins: {},
    revision,
  })
  return { store, autosave, theirs }
}

describe('what another tab saved', () => {
  it('is taken over while nothing here is unsaved, and leaves nothing to save', () => {
    const { store, autosave, theirs } = open()
    expect(takeOver(theirs(4), autosave, store)).toBe(true)
    expect(store.getState().history.present.notes[0]?.text).toBe('from elsewhere')
    expect([autosave.state.getState().at, autosave.revision()]).toEqual(['saved', 4])
  })

  it('is left alone when it is not newer', () => {
    const { store, autosave, theirs } = open()
    expect(takeOver(theirs(3), autosave, store)).toBe(false)
    expect(store.getState().history.present.notes).toEqual([])
  })

  it('does not replace an unsaved change', () => {
    const { store, autosave, theirs } = open()
    store.getState().edit((graph) => addNote(graph, { text: 'mine', at: [0, 0] }))
    expect(takeOver(theirs(4), autosave, store)).toBe(false)
    expect(store.getState().history.present.notes.map((each) => each.text)).toEqual(['mine'])
  })
})
