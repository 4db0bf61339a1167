/**
 * The canvas library's tables of node and edge types. They are module constants, because a new object on each
 * render would redraw every node.
 */
import { FrameCard } from './frame-card'
import { NodeCard } from './node-card'
import { NoteCard } from './note-card'
import { Wire } from './wire'

export const nodeTypes = { card: NodeCard, note: NoteCard, frame: FrameCard }
export const edgeTypes = { wire: Wire }
/** The distance between grid dots, to which a drag snaps, in px. */
export const gridStep = 16
/** Above this many nodes, only cards that can be read are rendered with their words and ports. */
export const manyNodes = 300
