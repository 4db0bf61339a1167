/** What each key does on a row of the outline. */
import type { KeyboardEvent } from 'react'
import type { GraphStore } from '#components/drawing/graph-store'
import { remove, setParked, shiftNode } from '#lib/graph/edit'
import { type OutlineRow, type OutlineStep, stepFrom } from './outline-rows'
import { rowThatBegins, type Typed } from './typeahead'

export interface OutlineHand {
  readonly store: GraphStore
  readonly rows: readonly OutlineRow[]
  readonly current: string | null
  /** The letters typed shortly before. */
  readonly typed: Typed
  goTo(key: string | undefined): void
  toggle(key: string, isOpen: boolean): void
  open(what: 'picker' | 'wires'): void
  inspect(): void
}

const steps: Readonly<Record<string, OutlineStep>> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  ArrowRight: 'in',
  ArrowLeft: 'out',
  Home: 'first',
  End: 'last',
}

/** Returns true when the key was handled. */
export function outlineKey(event: KeyboardEvent, hand: OutlineHand): boolean {
  const { key, altKey, metaKey, ctrlKey, shiftKey } = event
  if (metaKey || ctrlKey) return false
  const row = hand.rows.find((each) => each.key === hand.current)
  if (altKey) return reorder(key, row, hand)
  const step = steps[key]
  if (step !== undefined && !shiftKey) {
    const { to, open } = stepFrom(hand.rows, hand.current, step)
    if (open !== undefined && row !== undefined) hand.toggle(row.key, open)
    else hand.goTo(to)
    return true
  }
  if (typesAhead(event, hand)) return true
  if (key === 'Insert' || (!shiftKey && key.toLowerCase() === 'a')) {
    hand.open('picker')
    return true
  }
  if (shiftKey || row === undefined) return false
  return onRow(key, row, hand)
}

/**
 * Typing goes to the next row that begins with the letters. A, C and D are keys of their own, so a name that
 * begins with one of them is typed with Shift; while typing goes on, every letter belongs to the name.
 */
function typesAhead(
  { key, shiftKey, timeStamp }: KeyboardEvent,
  { rows, current, typed, goTo }: OutlineHand,
): boolean {
  // The time of the key itself: a busy page handles it later.
  const before = typed.letters(timeStamp)
  const isPart = /^[\p{L}\p{N}._-]$/u.test(key) || (key === ' ' && before !== '')
  if (!isPart) return false
  if (before === '' && !shiftKey && ownLetters.has(key.toLowerCase())) return false
  const letters = typed.add(key, timeStamp)
  const found = rowThatBegins(rows, current, letters)
  if (found !== undefined) goTo(found)
  requestAnimationFrame(() => typed.shown(performance.now()))
  return true
}

const ownLetters: ReadonlySet<string> = new Set(['a', 'c', 'd'])

function onRow(
  key: string,
  row: OutlineRow,
  { store, rows, goTo, toggle, open, inspect }: OutlineHand,
): boolean {
  const { edit } = store.getState()
  switch (key.length === 1 ? key.toLowerCase() : key) {
    case 'Enter':
    case 'F2':
      if (isHeading(row)) toggle(row.key, row.isOpen !== true)
      else {
        goTo(row.key)
        inspect()
      }
      return true
    case 'Delete':
    case 'Backspace': {
      if (isHeading(row)) return true
      const at = rows.indexOf(row)
      // The neighbour is found first, because deleting a node also clears its selection.
      const next = rows[at + 1]?.level === row.level ? rows[at + 1] : rows[at - 1]
      edit((graph, catalog) =>
        remove(
          graph,
          {
            nodes: row.node === undefined ? [] : [row.node],
            notes: row.note === undefined ? [] : [row.note],
            frames: row.frame === undefined ? [] : [row.frame],
          },
          catalog,
        ),
      )
      goTo(next?.key)
      return true
    }
    case 'd':
      if (row.node !== undefined) {
        const { node } = row
        const isOff = store.getState().off.has(node)
        edit((graph, catalog) => setParked(graph, [node], !isOff, catalog))
      }
      return true
    case 'c':
      if (row.node !== undefined) open('wires')
      return true
    default:
      // All other keys are left to whoever else listens.
      return false
  }
}

function isHeading({ node, note, frame }: OutlineRow): boolean {
  return node === undefined && note === undefined && frame === undefined
}

function reorder(key: string, row: OutlineRow | undefined, { store }: OutlineHand): boolean {
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return false
  const node = row?.node
  if (node !== undefined) {
    const by = key === 'ArrowUp' ? -1 : 1
    store.getState().edit((graph, catalog) => shiftNode(graph, node, by, catalog), `order.${node}`)
  }
  return true
}
