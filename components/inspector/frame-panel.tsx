'use client'
/** A frame: its title, its contents, and a button to delete it without deleting the contents. */
import { useMemo } from 'react'
import { nodesInFrame } from '#components/canvas/selection-edits'
import { useGraph, useGraphStore } from '#components/drawing/graph-context'
import { deleteSelection, selectDrawn } from '#components/drawing/part'
import { Button } from '#components/ui/button'
import { Property, TextField } from '#components/ui/field'
import shared from '#components/ui/shared.module.css'
import { setFrame } from '#lib/graph/edit'
import type { GraphFrame } from '#lib/spec/graph'
import styles from './inspector.module.css'
import { NodeRow } from './node-row'
import { PanelHead } from './panel-head'

export function FramePanel({ frame }: { frame: GraphFrame }) {
  const store = useGraphStore()
  const edit = useGraph((state) => state.edit)
  const graph = useGraph((state) => state.history.present)
  // Positions change with the drawing, so the contents are computed again whenever it changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const held = useMemo(() => nodesInFrame(store.getState(), frame.id), [store, frame, graph])
  const inside = new Set(held)
  const cards = graph.nodes.filter((each) => inside.has(each.id))
  return (
    <>
      <PanelHead family="note" icon="square" name={frame.title || 'Frame'} kind="Frame, on the canvas only" />
      <section className={styles.section} aria-label="Settings">
        <Property label="Title" htmlFor="frame-title" hint="Its contents move with it.">
          <TextField
            id="frame-title"
            value={frame.title}
            maxLength={200}
            placeholder="Untitled"
            onChange={(title) => edit((drawn) => setFrame(drawn, frame.id, { title }), `frame.${frame.id}`)}
          />
        </Property>
      </section>
      <section className={styles.section} aria-label="In it">
        <h3 className={styles.heading}>
          In it<span className={styles.end}>{held.length}</span>
        </h3>
        {cards.length === 0 && <p className={shared.quiet}>No part is completely inside.</p>}
        <div className={shared.stack}>
          {cards.map((node) => (
            <NodeRow key={node.id} node={node} />
          ))}
        </div>
      </section>
      <section className={styles.section}>
        <div className={styles.actions}>
          {held.length > 0 && (
            <Button icon="layers" onClick={() => selectDrawn(store, held)}>
              Select its contents
            </Button>
          )}
          <Button icon="trash-2" onClick={() => deleteSelection(store)}>
            Delete frame
          </Button>
        </div>
      </section>
    </>
  )
}
