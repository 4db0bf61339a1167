/** Every edit of a drawing, as pure functions that share what they do not change. One call is one undo entry. */
export type { Edited } from './edit/edited'
export {
  addNode,
  moveNodes,
  patchConfig,
  remove,
  removeNodes,
  setConfig,
  setParked,
  shiftNode,
} from './edit/nodes'
export { addNote, removeNotes, setNote } from './edit/notes'
export { clip, copyNodes, duplicateNodes, paste } from './edit/paste'
export { connect, disconnect } from './edit/wires'
export { normalize } from './normalize'
