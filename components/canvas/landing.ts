/**
 * Finds the wire under a part that is about to be dropped, and highlights it while it would accept the part.
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

function wireUnder({ x, y }: XYPosition): string | undefined {
  for (const element of document.elementsFromPoint(x, y)) {
    const wire = element.closest<HTMLElement>('.react-flow__edge')
    if (wire !== null) return wire.dataset.id
  }
  return undefined
}

/** The highlighted wire, kept so that a moving pointer need not search all wires. */
let lit: HTMLElement | null = null

/** Highlights one wire, or none. Only a DOM attribute changes, so that a moving pointer renders no card. */
export function highlightWire(wire: GraphEdge | null): void {
  const id = wire === null ? undefined : edgeId(wire)
  if (lit?.isConnected && lit.dataset.id === id) return
  if (lit !== null) delete lit.dataset.landing
  lit =
    id === undefined
      ? null
      : document.querySelector<HTMLElement>(`.react-flow__edge[data-id="${CSS.escape(id)}"]`)
  if (lit !== null) lit.dataset.landing = ''
}
