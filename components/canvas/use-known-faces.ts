'use client'
/**
 * Keeps the canvas library from measuring cards whose size and ports are known. It would measure each one that it
 * renders, and would find no ports on a bare card.
 */
import { type InternalNode, type ReactFlowState, useStoreApi } from '@xyflow/react'
import { useState } from 'react'

export function useKnownFaces(): void {
  const library = useStoreApi()
  // During the render, because the library takes the function in its own first render.
  useState(() => measureOnlyUnknown(library))
}

type Library = ReturnType<typeof useStoreApi>

const changed = new WeakSet<Library['setState']>()

function measureOnlyUnknown({ getState, setState }: Library): void {
  if (changed.has(setState)) return
  changed.add(setState)
  const { updateNodeInternals } = getState()
  const measureUnknown: ReactFlowState['updateNodeInternals'] = (updates, params) => {
    const { nodeLookup } = getState()
    const unknown = new Map(
      [...updates].filter(([id, { nodeElement }]) => !isAsKnown(nodeLookup.get(id), nodeElement)),
    )
    if (unknown.size > 0) updateNodeInternals(unknown, params)
  }
  setState({ updateNodeInternals: measureUnknown })
}

function isAsKnown(node: InternalNode | undefined, { offsetWidth, offsetHeight }: HTMLElement): boolean {
  if (node?.handles === undefined) return false
  return node.measured.width === offsetWidth && node.measured.height === offsetHeight
}
