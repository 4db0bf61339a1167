/** The canvas library's own tables. They stand at module level: made anew in a render, every node would be drawn anew. */
import { FrameCard } from './frame-card'
import { NodeCard } from './node-card'
import { NoteCard } from './note-card'
import { Wire } from './wire'

export const nodeTypes = { card: NodeCard, note: NoteCard, frame: FrameCard }
export const edgeTypes = { wire: Wire }
/** Dots of the grid, and what a drag snaps to. */
export const gridStep = 16
