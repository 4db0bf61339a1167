'use client'
/** The inspector, docked at the right: the settings of the selection, and what it compiles to. */
import { useState } from 'react'
import { useGraph } from '#components/drawing/graph-context'
import { type Drafts, DraftsProvider } from '#components/form/form-context'
import shared from '#components/ui/shared.module.css'
import { AgentSummary } from './agent-summary'
import { EdgePanel } from './edge-panel'
import { FramePanel } from './frame-panel'
import styles from './inspector.module.css'
import { NodePanel } from './node-panel'
import { NotePanel } from './note-panel'
import { SeveralPanel } from './several-panel'

export function Inspector() {
  const [drafts] = useState<Drafts>(() => new Map())
  return (
    <aside className={styles.inspector} aria-label="Inspector">
      <h2 className={shared.unseen}>Inspector</h2>
      <DraftsProvider value={drafts}>
        <Chosen />
      </DraftsProvider>
    </aside>
  )
}

function Chosen() {
  const { nodes, notes, frames, edges } = useGraph((state) => state.selection)
  const node = useGraph((state) => state.history.present.nodes.find((each) => each.id === nodes[0]))
  const note = useGraph((state) => state.history.present.notes.find((each) => each.id === notes[0]))
  const frame = useGraph((state) => state.history.present.look.frames.find((each) => each.id === frames[0]))
  const [edge] = edges
  const things = nodes.length + notes.length + frames.length
  // Wires between selected nodes are selected along with them; they count only when nothing else is selected.
  const count = things > 0 ? things : edges.length
  if (count === 0) return <AgentSummary />
  if (count > 1) return <SeveralPanel count={count} />
  if (node !== undefined) return <NodePanel key={node.id} node={node} />
  if (note !== undefined) return <NotePanel key={note.id} note={note} />
  if (frame !== undefined) return <FramePanel key={frame.id} frame={frame} />
  return edge === undefined ? null : <EdgePanel key={edge} id={edge} />
}
