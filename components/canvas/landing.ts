/** The wire under a part that is about to be dropped: found on screen, and lit while it would take the part. */
import type { XYPosition } from '@xyflow/react'
import { edgeId } from '#components/drawing/flow'
import type { GraphStore } from '#components/drawing/graph-store'
import { type Insertion, insertion } from '#lib/graph/insert'
import type { GraphEdge, GraphNode } from '#lib/spec/graph'

export interface Landing {
  readonly wire: GraphEdge
  readonly answer: Insertion
}

/** What a drop at this point of the screen would do; undefined where no wire lies there. */
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

/** The wire that is lit: remembered, so that a pointer that moves need not look through all of them. */
let lit: HTMLElement | null = null

/** Lights one wire, or none. It is a mark on the page only: a pointer that moves must draw no card anew. */
export function light(wire: GraphEdge | null): void {
  const id = wire === null ? undefined : edgeId(wire)
  if (lit?.isConnected && lit.dataset.id === id) return
  if (lit !== null) delete lit.dataset.landing
  lit =
    id === undefined
      ? null
      : document.querySelector<HTMLElement>(`.react-flow__edge[data-id="${CSS.escape(id)}"]`)
  if (lit !== null) lit.dataset.landing = ''
}
