'use client'
/**
 * A card on the map: a rectangle in the colour of its family, or of a state that asks for attention. It reads its own state, so that a run redraws no
 * other card.
 */
import type { MiniMapNodeProps } from '@xyflow/react'
import { memo } from 'react'
import { noFacts } from '#components/drawing/card-facts'
import { type CardState, cardState } from '#components/drawing/card-state'
import { useDrawn } from '#components/drawing/graph-context'
import { useNodeStatus } from '#components/run/node-status'
import type { Family } from '#lib/spec/kind'

/** Below this many pixels on the map, a rounded corner cannot be seen. */
const corner = 8

export const MapNode = memo(function MapNode({ id, x, y, width, height, color, selected }: MiniMapNodeProps) {
  const { kind, path, finding, isOff, isLoose } = useDrawn((state) => state.facts.get(id) ?? noFacts)
  const isAgent = path === 'agent'
  const state = cardState({ status: useNodeStatus(path), finding, isOff, isLoose })
  // The agent is working during the whole run, so the glow goes to the part it is using.
  const glow = isAgent && state.name === 'working' ? undefined : colours[state.name]
  return (
    <rect
      x={x}
      y={y}
      width={width}
      height={height}
      rx={corner}
      fill={glow ?? (kind === undefined || selected ? color : hues[kind.family])}
    />
  )
})

const hues: Record<Family, string> = {
  agent: 'var(--ink-1)',
  model: 'var(--model-fill)',
  tool: 'var(--tool-fill)',
  mcp: 'var(--mcp-fill)',
  policy: 'var(--policy-fill)',
  memory: 'var(--memory-fill)',
  output: 'var(--output-fill)',
  note: 'var(--line-2)',
}

const colours: Partial<Record<CardState['name'], string>> = {
  waiting: 'var(--wait-solid)',
  working: 'var(--accent)',
  error: 'var(--error)',
  fault: 'var(--error)',
}
