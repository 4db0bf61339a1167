'use client'
/**
 * The name of a card, edited in place over it. Enter or a click outside saves it, Escape discards the change.
 */
import { ViewportPortal } from '@xyflow/react'
import { type KeyboardEvent, useRef } from 'react'
import { describeNode } from '#components/drawing/describe'
import { focusCard } from '#components/drawing/focus-card'
import { useGraph } from '#components/drawing/graph-context'
import { ownName, renameNode } from '#components/drawing/rename'
import type { GraphNode } from '#lib/spec/graph'
import styles from './canvas.module.css'
import { useCanvasUi, useCanvasUiStore } from './canvas-ui-context'
import { useFocusSoon } from './use-focus-soon'

export function RenameBox() {
  const id = useCanvasUi((state) => state.writing)
  const card = useGraph((state) => state.nodes.find((each) => each.id === id))
  if (card?.type !== 'card') return null
  return <Name key={card.id} node={card.data.node} at={card.position} width={card.measured?.width ?? 200} />
}

function Name({ node, at, width }: { node: GraphNode; at: { x: number; y: number }; width: number }) {
  const edit = useGraph((state) => state.edit)
  const catalog = useGraph((state) => state.catalog)
  const ui = useCanvasUiStore()
  const isLeft = useRef(false)
  const field = useRef<HTMLInputElement>(null)
  useFocusSoon(field)
  const done = (text?: string) => {
    if (isLeft.current) return
    isLeft.current = true
    ui.setState({ writing: null })
    if (text !== undefined) edit((graph, parts) => renameNode(graph, node, text, parts))
  }
  const keys = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    if (event.key !== 'Escape' && event.key !== 'Enter') return
    done(event.key === 'Enter' ? event.currentTarget.value.trim() : undefined)
    focusCard(node.id)
  }
  return (
    <ViewportPortal>
      <input
        ref={field}
        className={`nodrag nopan ${styles.rename}`}
        aria-label="Name"
        style={{ transform: `translate(${at.x + 44}px, ${at.y + 4}px)`, width: width - 52 }}
        defaultValue={ownName(node, catalog)}
        placeholder={describeNode(node, catalog).title}
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={(event) => done(event.currentTarget.value.trim())}
        onKeyDown={keys}
      />
    </ViewportPortal>
  )
}
