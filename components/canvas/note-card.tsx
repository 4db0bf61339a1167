'use client'
/**
 * A note on the canvas: markdown, edited in place by a double click, Enter or F2. It is part of the drawing
 * only.
 */
import { type NodeProps, NodeResizer } from '@xyflow/react'
import { type KeyboardEvent, memo, useRef } from 'react'
import type { NoteNode } from '#components/drawing/flow'
import { focusCard } from '#components/drawing/focus-card'
import { useGraph } from '#components/drawing/graph-context'
import { Markdown } from '#components/ui/markdown'
import { setNote } from '#lib/graph/edit'
import { useCanvasUi, useCanvasUiStore } from './canvas-ui-context'
import styles from './note-card.module.css'
import handles from './resize.module.css'
import { useFocusSoon } from './use-focus-soon'

const least = { width: 96, height: 40 }
const longest = 10_000

export const NoteCard = memo(function NoteCard({ id, data, selected }: NodeProps<NoteNode>) {
  const { note } = data
  const edit = useGraph((state) => state.edit)
  const isReadOnly = useGraph((state) => state.isReadOnly)
  const ui = useCanvasUiStore()
  const isWriting = useCanvasUi((state) => state.writing === id)
  const done = (text?: string) => {
    ui.setState({ writing: null })
    if (text !== undefined) edit((graph) => setNote(graph, note.id, { text }))
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the canvas gives the card focus and keys; this adds a double click
    <div
      className={styles.note}
      data-selected={selected || undefined}
      onDoubleClick={() => !isReadOnly && ui.setState({ writing: id })}
    >
      <NodeResizer
        isVisible={selected && !isReadOnly && !isWriting}
        minWidth={least.width}
        minHeight={least.height}
        handleClassName={handles.handle}
        lineClassName={handles.line}
        onResizeEnd={(_, { x, y, width, height }) =>
          edit((graph) => setNote(graph, note.id, { at: [x, y], size: [width, height] }))
        }
      />
      {isWriting ? (
        <Words id={id} text={note.text} onDone={done} />
      ) : (
        <div className={styles.text}>
          {note.text.trim() === '' ? (
            <p className={styles.empty}>Empty note. Double-click to write.</p>
          ) : (
            <Markdown text={note.text} size="s" />
          )}
        </div>
      )}
    </div>
  )
})

/**
 * The text is saved when editing ends, as one entry of the history. Escape saves it too, so nothing is lost.
 */
function Words({ id, text, onDone }: { id: string; text: string; onDone(text: string): void }) {
  const isLeft = useRef(false)
  const field = useRef<HTMLTextAreaElement>(null)
  useFocusSoon(field)
  const done = (words: string) => {
    if (isLeft.current) return
    isLeft.current = true
    onDone(words)
  }
  const keys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    if (event.key !== 'Escape' && !(event.key === 'Enter' && (event.metaKey || event.ctrlKey))) return
    done(event.currentTarget.value)
    focusCard(id)
  }
  return (
    <textarea
      ref={field}
      className={`nodrag nowheel nopan ${styles.words}`}
      aria-label="Note"
      placeholder="Write in markdown"
      defaultValue={text}
      maxLength={longest}
      rows={Math.min(24, Math.max(3, text.split('\n').length + 1))}
      onFocus={(event) => {
        const { value } = event.currentTarget
        event.currentTarget.setSelectionRange(value.length, value.length)
      }}
      onBlur={(event) => done(event.currentTarget.value)}
      onKeyDown={keys}
    />
  )
}
