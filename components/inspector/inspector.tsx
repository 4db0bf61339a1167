'use client'
/** The inspector, docked at the right: what the chosen node holds, and what it compiles to. */
import { useGraph } from '#components/canvas/graph-context'
import { AgentSummary } from './agent-summary'
import styles from './inspector.module.css'
import { NodePanel } from './node-panel'
import { NotePanel } from './note-panel'
import { SeveralPanel } from './several-panel'

export function Inspector() {
  const selection = useGraph((state) => state.selection)
  const node = useGraph((state) => state.history.present.nodes.find((each) => each.id === selection.nodes[0]))
  const note = useGraph((state) => state.history.present.notes.find((each) => each.id === selection.notes[0]))
  const count = selection.nodes.length + selection.notes.length
  return (
    <aside className={styles.inspector} aria-label="Inspector">
      {count > 1 && <SeveralPanel count={count} />}
      {count === 1 && node !== undefined && <NodePanel key={node.id} node={node} />}
      {count === 1 && note !== undefined && <NotePanel key={note.id} note={note} />}
      {count === 0 && <AgentSummary />}
    </aside>
  )
}
