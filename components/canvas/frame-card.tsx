'use client'
/**
 * A frame behind the cards: a hairline with a title. It is dragged by its title or its edge and takes its
 * contents along.
 */
import { type NodeProps, NodeResizer } from '@xyflow/react'
import { type FocusEvent, type KeyboardEvent, memo, useRef } from 'react'
import type { FrameNode } from '#components/drawing/flow'
import { focusCard } from '#components/drawing/focus-card'
import { useGraph } from '#components/drawing/graph-context'
import { setFrame } from '#lib/graph/edit'
import { useCanvasUi, useCanvasUiStore } from './canvas-ui-context'
import styles from './frame-card.module.css'
import handles from './resize.module.css'
import { useFocusSoon } from './use-focus-soon'

const least = { width: 96, height: 64 }
const longestTitle = 200

export const FrameCard = memo(function FrameCard({ id, data, selected }: NodeProps<FrameNode>) {
  const { frame } = data
  const edit = useGraph((state) => state.edit)
  const isReadOnly = useGraph((state) => state.isReadOnly)
  const ui = useCanvasUiStore()
  const isWriting = useCanvasUi((state) => state.writing === id)
  return (
    <div className={styles.frame} data-selected={selected || undefined}>
      {['top', 'right', 'bottom', 'left'].map((side) => (
        <span key={side} className={styles.edge} data-side={side} />
      ))}
      <NodeResizer
        isVisible={selected && !isReadOnly}
        minWidth={least.width}
        minHeight={least.height}
        handleClassName={handles.handle}
        lineClassName={handles.line}
        onResizeEnd={(_, { x, y, width, height }) =>
          edit((graph) => setFrame(graph, frame.id, { at: [x, y], size: [width, height] }))
        }
      />
      {isWriting ? (
        <Title
          id={id}
          title={frame.title}
          onDone={(title) => {
            ui.setState({ writing: null })
            if (title !== undefined) edit((graph) => setFrame(graph, frame.id, { title }))
          }}
        />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the frame has focus and keys from the canvas; F2 edits too
        <div
          className={styles.title}
          title={frame.title}
          onDoubleClick={() => !isReadOnly && ui.setState({ writing: id })}
        >
          {frame.title === '' ? 'Frame' : frame.title}
        </div>
      )}
    </div>
  )
})

/** Saved once when editing ends, as one entry of the history. */
function Title({ id, title, onDone }: { id: string; title: string; onDone(title?: string): void }) {
  const isLeft = useRef(false)
  const field = useRef<HTMLInputElement>(null)
  useFocusSoon(field)
  const done = (text?: string) => {
    if (isLeft.current) return
    isLeft.current = true
    onDone(text)
  }
  const keys = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    if (event.key !== 'Escape' && event.key !== 'Enter') return
    done(event.key === 'Enter' ? event.currentTarget.value.trim() : undefined)
    focusCard(id)
  }
  return (
    <input
      ref={field}
      className={`nodrag nopan ${styles.input}`}
      aria-label="Title of the frame"
      defaultValue={title}
      maxLength={longestTitle}
      onFocus={(event: FocusEvent<HTMLInputElement>) => event.currentTarget.select()}
      onBlur={(event) => done(event.currentTarget.value.trim())}
      onKeyDown={keys}
    />
  )
}
