/** Edits of notes: add, set, remove. */
import { type GraphDocument, type GraphNote, mostDrawn } from '#lib/spec/graph'
import { equal } from '../equal'
import { type Edited, idMaker, leaveUnchanged, pair } from './edited'

export interface NewNote {
  readonly id?: string
  readonly text: string
  readonly at: readonly [number, number]
  readonly size?: readonly [number, number]
}

/** Adds one note; its id is the first of `added`. */
export function addNote(graph: GraphDocument, note: NewNote): Edited {
  const most = mostDrawn.notes
  if (graph.notes.length >= most) return leaveUnchanged(graph, `A drawing holds at most ${most} notes.`)
  const id = idMaker(graph)('note', note.id)
  const made: GraphNote = {
    id,
    text: note.text,
    at: pair(note.at),
    ...(note.size ? { size: pair(note.size) } : {}),
  }
  return { graph: { ...graph, notes: [...graph.notes, made] }, notes: [], added: [id] }
}

export function setNote(graph: GraphDocument, id: string, patch: Partial<Omit<NewNote, 'id'>>): Edited {
  const note = graph.notes.find((each) => each.id === id)
  if (note === undefined) return leaveUnchanged(graph)
  const next: GraphNote = {
    ...note,
    ...(patch.text === undefined ? {} : { text: patch.text }),
    ...(patch.at === undefined ? {} : { at: pair(patch.at) }),
    ...(patch.size === undefined ? {} : { size: pair(patch.size) }),
  }
  if (equal(next, note)) return leaveUnchanged(graph)
  return leaveUnchanged({ ...graph, notes: graph.notes.map((each) => (each === note ? next : each)) })
}

export function removeNotes(graph: GraphDocument, ids: readonly string[]): Edited {
  const gone = new Set(ids)
  const notes = graph.notes.filter((note) => !gone.has(note.id))
  return leaveUnchanged(notes.length === graph.notes.length ? graph : { ...graph, notes })
}
