'use client'
/** Renders a large drawing over several frames, so that none of them takes so long that a person notices. */
import { useEffect, useMemo, useState } from 'react'
import type { FlowEdge, FlowNode } from '#components/drawing/flow'

interface Drawn {
  readonly nodes: FlowNode[]
  readonly edges: FlowEdge[]
}

export interface Staged extends Drawn {
  /** What later frames will render: until then it is sketched. */
  readonly rest: Drawn
}

/** In the same frame as the rest of the page. */
const first = 16
/** Not fewer: in each frame the library also looks at everything that was rendered before. */
const perFrame = { nodes: 24, edges: 80 }
const nothing: Drawn = { nodes: [], edges: [] }

/** The nodes rendered so far, more in each frame, and then the wires between them. */
export function useStaged(nodes: FlowNode[], edges: FlowEdge[]): Staged {
  const [shown, setShown] = useState(() => ({ nodes: first, edges: nodes.length <= first ? first : 0 }))
  const hasNodes = shown.nodes >= nodes.length
  const isWhole = hasNodes && shown.edges >= edges.length
  useEffect(() => {
    if (isWhole) return
    const next = hasNodes
      ? { ...shown, edges: shown.edges + perFrame.edges }
      : { ...shown, nodes: shown.nodes + perFrame.nodes }
    const frame = requestAnimationFrame(() => setShown(next))
    return () => cancelAnimationFrame(frame)
  }, [isWhole, hasNodes, shown])
  return useMemo(
    () => (isWhole ? { nodes, edges, rest: nothing } : cut({ nodes, edges }, shown)),
    [nodes, edges, shown, isWhole],
  )
}

/** The first `shown` of each. A wire waits for its cards. A list that does not grow stays the same object. */
export function cut(
  { nodes, edges }: Drawn,
  shown: { readonly nodes: number; readonly edges: number },
): Staged {
  const part = shown.nodes < nodes.length ? nodes.slice(0, shown.nodes) : nodes
  const ids = new Set(part.map(({ id }) => id))
  const [now, later]: [FlowEdge[], FlowEdge[]] = [[], []]
  for (const [index, edge] of edges.entries())
    (index < shown.edges && ids.has(edge.source) && ids.has(edge.target) ? now : later).push(edge)
  return {
    nodes: part,
    edges: now.length === 0 ? nothing.edges : now,
    rest: { nodes: nodes.slice(shown.nodes), edges: later },
  }
}
