'use client'
/** Draws a large drawing over several frames, so that none of them takes so long that a person notices. */
import { useEffect, useMemo, useState } from 'react'
import type { FlowEdge, FlowNode } from '#components/drawing/flow'

const first = 36
const perFrame = 12

export interface Staged {
  readonly nodes: FlowNode[]
  readonly edges: FlowEdge[]
}

/** The nodes drawn so far, more in each frame, and the wires between them. */
export function useStaged(nodes: FlowNode[], edges: FlowEdge[]): Staged {
  const [shown, setShown] = useState(first)
  const isWhole = shown >= nodes.length
  useEffect(() => {
    if (isWhole) return
    const frame = requestAnimationFrame(() => setShown(shown + perFrame))
    return () => cancelAnimationFrame(frame)
  }, [isWhole, shown])
  return useMemo(() => {
    if (isWhole) return { nodes, edges }
    const part = nodes.slice(0, shown)
    const ids = new Set(part.map(({ id }) => id))
    return { nodes: part, edges: edges.filter(({ source, target }) => ids.has(source) && ids.has(target)) }
  }, [nodes, edges, shown, isWhole])
}
