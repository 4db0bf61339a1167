'use client'
/** A card on the map: its rectangle in the colour of its state, asked for by itself, so that a run draws no other anew. */
import type { MiniMapNodeProps } from '@xyflow/react'
import { memo } from 'react'
import { noFacts } from '#components/drawing/card-facts'
import { type CardState, cardState } from '#components/drawing/card-state'
import { useDrawn } from '#components/drawing/graph-context'
import { useNodeStatus } from '#components/run/node-status'

/** Below this many pixels of the map a rounded corner is not seen. */
const corner = 8

export const MapNode = memo(function MapNode({ id, x, y, width, height, color, selected }: MiniMapNodeProps) {
  const { path, finding, isOff, isLoose } = useDrawn((state) => state.facts.get(id) ?? noFacts)
  const isAgent = path === 'agent'
  const state = cardState({ status: useNodeStatus(path), finding, isOff, isLoose })
  // The agent is at work all along: what glows is the part it works with.
  const glow = isAgent && state.name === 'working' ? undefined : colours[state.name]
  return (
    <rect
      x={x}
      y={y}
      width={width}
      height={height}
      rx={corner}
      fill={glow ?? (isAgent && !selected ? 'var(--line-3)' : color)}
    />
  )
})

const colours: Partial<Record<CardState['name'], string>> = {
  waiting: 'var(--wait-solid)',
  working: 'var(--accent)',
  error: 'var(--error)',
  fault: 'var(--error)',
}
