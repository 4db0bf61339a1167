'use client'
/** A note: its words, and the way to be rid of it. */
import { useGraph, useGraphStore } from '#components/canvas/graph-context'
import { deleteSelection } from '#components/canvas/part'
import { Button, IconButton } from '#components/ui/button'
import { TextArea } from '#components/ui/field'
import { Tile } from '#components/ui/tile'
import { setNote } from '#lib/graph/edit'
import type { GraphNote } from '#lib/spec/graph'
import styles from './inspector.module.css'

export function NotePanel({ note }: { note: GraphNote }) {
  const store = useGraphStore()
  const edit = useGraph((state) => state.edit)
  return (
    <>
      <header className={styles.head}>
        <Tile family="note" icon="sticky-note" />
        <div className={styles.title}>
          <span className={styles.name}>Note</span>
          <span className={styles.kind}>On the canvas only</span>
        </div>
        <IconButton icon="x" label="Close" onClick={() => store.getState().select({})} />
      </header>
      <section className={styles.section}>
        <TextArea
          aria-label="Text of the note"
          rows={6}
          value={note.text}
          placeholder="A few words beside the drawing"
          onChange={(text) => edit((graph) => setNote(graph, note.id, { text }), `note.${note.id}`)}
        />
      </section>
      <section className={styles.section}>
        <Button icon="trash-2" onClick={() => deleteSelection(store)}>
          Delete note
        </Button>
      </section>
    </>
  )
}
