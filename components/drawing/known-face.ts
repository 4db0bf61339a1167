/**
 * The size of a card and the places of its ports, as the style sheet draws them. The canvas library then need
 * not measure a card before it draws its wires, nor render a card that is out of view in order to measure it.
 */
import { type NodeHandle, Position } from '@xyflow/react'
import type { Size } from '#lib/graph/geometry'
import { isAgent } from '#lib/graph/kinds'
import { cardSize } from '#lib/graph/layout'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphNode } from '#lib/spec/graph'
import type { NodeKind } from '#lib/spec/kind'

export interface KnownFace {
  readonly measured: Size
  readonly handles: NodeHandle[]
}

/** The side of a port in px: `--port` of the tokens. */
const port = 10
const faces = new WeakMap<NodeKind, Map<boolean, KnownFace>>()

/**
 * Undefined for the agent, whose rows depend on its wires, and for a kind that is not in the catalog: these are
 * measured. Equal cards share one object.
 */
export function knownFace(
  node: GraphNode,
  kind: NodeKind | undefined,
  { isAbove, catalog }: { readonly isAbove: boolean; readonly catalog: Catalog },
): KnownFace | undefined {
  if (kind === undefined || isAgent(kind)) return undefined
  const known = faces.get(kind) ?? new Map<boolean, KnownFace>()
  faces.set(kind, known)
  const face = known.get(isAbove) ?? faceOf(kind, cardSize(node, [], catalog), isAbove)
  known.set(isAbove, face)
  return face
}

function faceOf(kind: NodeKind, measured: Size, isAbove: boolean): KnownFace {
  const { width, height } = measured
  const around = (x: number, y: number) => ({ x: x - port / 2, y: y - port / 2, width: port, height: port })
  const ins = kind.in.map(
    ({ name }): NodeHandle => ({
      id: name,
      type: 'target',
      position: Position.Left,
      ...around(0, height / 2),
    }),
  )
  if (kind.out === undefined) return { measured, handles: ins }
  const out: NodeHandle = isAbove
    ? { id: kind.out, type: 'source', position: Position.Bottom, ...around(width / 2, height) }
    : { id: kind.out, type: 'source', position: Position.Right, ...around(width, height / 2) }
  return { measured, handles: [...ins, out] }
}
