'use client'
/** The inspector, docked at the right: the settings of the selection, and what it compiles to. */
import dynamic from 'next/dynamic'
import { useEffect, useState } from 'react'
import { useGraph } from '#components/drawing/graph-context'
import { type Drafts, DraftsProvider } from '#components/form/form-context'
import shared from '#components/ui/shared.module.css'
import { AgentSummary } from './agent-summary'
import { EdgePanel } from './edge-panel'
import { FramePanel } from './frame-panel'
import styles from './inspector.module.css'
import { NotePanel } from './note-panel'
import { SeveralPanel } from './several-panel'

const loadNodePanel = () => import('./node-panel').then((each) => each.NodePanel)

/** Its forms are most of the code of the inspector, and none of it is needed before a card is selected. */
const NodePanel = dynamic(loadNodePanel, { ssr: false, loading: () => <div data-coming aria-busy="true" /> })

export function Inspector() {
  const [drafts] = useState<Drafts>(() => new Map())
  useEffect(() => atFirstInput(() => void loadNodePanel().catch(() => undefined)), [])
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

/** Calls `act` once, when a person first uses the page; returns how to call it off. */
function atFirstInput(act: () => void): () => void {
  const listening = new AbortController()
  const once = () => {
    listening.abort()
    act()
  }
  for (const type of ['pointermove', 'pointerdown', 'keydown'])
    window.addEventListener(type, once, { capture: true, passive: true, signal: listening.signal })
  return () => listening.abort()
}
