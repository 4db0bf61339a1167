'use client'
/** A note on the canvas: written in place by a double click or Enter, part of the drawing only. */
import type { NodeProps } from '@xyflow/react'
import { type KeyboardEvent, memo, useState } from 'react'
import { setNote } from '#lib/graph/edit'
import type { NoteNode } from './flow'
import { useGraph } from './graph-context'
import styles from './note-card.module.css'

export const NoteCard = memo(function NoteCard({ data, selected }: NodeProps<NoteNode>) {
  const { note } = data
  const edit = useGraph((state) => state.edit)
  const isReadOnly = useGraph((state) => state.isReadOnly)
  const [isWriting, setWriting] = useState(false)
  const write = (text: string) => edit((graph) => setNote(graph, note.id, { text }), `note.${note.id}`)
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setWriting(false)
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the canvas gives the card its focus and keys; this adds the pointer's way in
    <div
      className={styles.note}
      data-selected={selected || undefined}
      style={sizeOf(note.size)}
      onDoubleClick={() => setWriting(!isReadOnly)}
    >
      {isWriting ? (
        <textarea
          className={`nodrag nowheel ${styles.text}`}
          aria-label="Note"
          // biome-ignore lint/a11y/noAutofocus: it opens because the person asked to write in it
          autoFocus
          value={note.text}
          onChange={(event) => write(event.target.value)}
          onBlur={() => setWriting(false)}
          onKeyDown={keys}
        />
      ) : (
        <p>{note.text === '' ? 'Empty note. Double-click to write.' : note.text}</p>
      )}
    </div>
  )
})

function sizeOf(size: readonly [number, number] | undefined) {
  return size === undefined ? undefined : { width: size[0], minHeight: size[1] }
}
