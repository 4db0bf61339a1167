/**
 * Finds the card or the wire under a part that is about to be dropped, and highlights it while it would accept
 * the part.
 */
import type { XYPosition } from '@xyflow/react'
import { edgeId } from '#components/drawing/flow'
import type { GraphStore } from '#components/drawing/graph-store'
import { type Insertion, insertion } from '#lib/graph/insert'
import type { GraphEdge, GraphNode } from '#lib/spec/graph'

export interface Landing {
  readonly wire: GraphEdge
  readonly answer: Insertion
}

/** What a drop at this point of the screen would do; undefined where there is no wire. */
export function landingAt(
  store: GraphStore,
  at: XYPosition,
  part: Pick<GraphNode, 'kind' | 'config'>,
): Landing | undefined {
  const id = wireUnder(at)
  if (id === undefined) return undefined
  const { history, catalog } = store.getState()
  const wire = history.present.edges.find((each) => edgeId(each) === id)
  return wire && { wire, answer: insertion(history.present, catalog, { wire, part }) }
}

/** The node whose card is at this point of the screen. */
export function cardUnder({ x, y }: XYPosition): string | undefined {
  for (const element of document.elementsFromPoint(x, y)) {
    const id = element.closest<HTMLElement>('.react-flow__node-card')?.dataset.id
    if (id !== undefined) return id
  }
  return undefined
}

function wireUnder({ x, y }: XYPosition): string | undefined {
  for (const element of document.elementsFromPoint(x, y)) {
    const wire = element.closest<HTMLElement>('.react-flow__edge')
    if (wire !== null) return wire.dataset.id
  }
  return undefined
}

/** The highlighted element, kept so that a moving pointer need not search all of them. */
let lit: HTMLElement | null = null

/** Highlights one wire, or none. */
export function highlightWire(wire: GraphEdge | null): void {
  highlight(wire === null ? null : { in: '.react-flow__edge', id: edgeId(wire) })
}

/** Highlights one card, or none. */
export function highlightCard(node: string | null): void {
  highlight(node === null ? null : { in: '.react-flow__node', id: node })
}

/** Only a DOM attribute changes, so that a moving pointer renders no card. */
function highlight(target: { readonly in: string; readonly id: string } | null): void {
  if (lit?.isConnected && target !== null && lit.matches(target.in) && lit.dataset.id === target.id) return
  if (lit !== null) delete lit.dataset.landing
  lit =
    target === null
      ? null
      : document.querySelector<HTMLElement>(`${target.in}[data-id="${CSS.escape(target.id)}"]`)
  if (lit !== null) lit.dataset.landing = ''
}
