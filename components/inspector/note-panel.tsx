'use client'
/** A note: its text in markdown, and a button to delete it. */
import { useGraph, useGraphStore } from '#components/drawing/graph-context'
import { deleteSelection, duplicateSelection } from '#components/drawing/part'
import { LongTextField } from '#components/form/long-text-field'
import { Button } from '#components/ui/button'
import { setNote } from '#lib/graph/edit'
import type { GraphNote } from '#lib/spec/graph'
import styles from './inspector.module.css'
import { PanelHead } from './panel-head'

const field = {
  control: 'multiline',
  key: 'text',
  label: 'Text of the note',
  hint: 'Markdown: lists, **bold**, links.',
  fallback: undefined,
  isRequired: false,
  maxLength: 10_000,
} as const

export function NotePanel({ note }: { note: GraphNote }) {
  const store = useGraphStore()
  const edit = useGraph((state) => state.edit)
  const change = (text: unknown) => {
    if (typeof text === 'string') edit((graph) => setNote(graph, note.id, { text }), `note.${note.id}`)
  }
  return (
    <>
      <PanelHead family="note" icon="sticky-note" name="Note" kind="On the canvas only" />
      <section className={styles.section}>
        <LongTextField
          id="note-text"
          field={field}
          value={note.text}
          error={undefined}
          unset="A few words on the canvas"
          onChange={change}
        />
      </section>
      <section className={styles.section}>
        <div className={styles.actions}>
          <Button icon="copy" onClick={() => duplicateSelection(store)}>
            Duplicate
          </Button>
          <Button icon="trash-2" onClick={() => deleteSelection(store)}>
            Delete note
          </Button>
        </div>
      </section>
    </>
  )
}
