/** The part of a large drawing that a person can read: only there are cards drawn with their words and ports. */
import { boxOf, type PlacedBox } from '#components/drawing/boxes'
import type { FlowEdge, FlowNode } from '#components/drawing/flow'
import { type Box, hull } from '#lib/graph/edit'

/** The size of the canvas on the screen, and how it is moved and scaled: part of the canvas library's state. */
export interface CanvasView {
  readonly width: number
  readonly height: number
  readonly transform: readonly [x: number, y: number, zoom: number]
}

export interface SeenPart {
  /** In the canvas's own units: what is in view, with a margin. */
  readonly box: Box
  /** How much can be seen of a card at this zoom. */
  readonly most: Face
}

/** What of a card is rendered: all of it, its tile and name, or the colour of its tile. */
export type Face = 'whole' | 'named' | 'bare'

/** Below these zooms the style sheet hides more of a card; at the last one, its icon is too small to be seen. */
const nameZoom = 0.45
export const farZoom = 0.22
/** Of the size of the view, on each of its sides: cards are ready before a short pan shows them. */
const margin = 0.15
/** After zooming in this much, the box is made smaller. */
const mostTimes = 2

/** Before the size of the canvas is known. A large drawing opens with everything in view. */
export const everything: SeenPart = {
  box: { x: -1e9, y: -1e9, width: 2e9, height: 2e9 },
  most: 'bare',
}

/** The same object while the view stays inside of what is drawn. */
export function nextSeen(last: SeenPart, { width, height, transform: [x, y, zoom] }: CanvasView): SeenPart {
  if (width === 0 || height === 0) return last
  const view = { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom }
  const most = zoom < farZoom ? 'bare' : zoom < nameZoom ? 'named' : 'whole'
  const isFitting = contains(last.box, view) && last.box.width <= view.width * mostTimes
  if (last.most === most && isFitting) return last
  const [across, down] = [view.width * margin, view.height * margin]
  const box = {
    x: view.x - across,
    y: view.y - down,
    width: view.width + 2 * across,
    height: view.height + 2 * down,
  }
  return { box, most }
}

export interface Drawn {
  readonly nodes: FlowNode[]
  readonly edges: FlowEdge[]
}

/** The drawing with no more of each card than can be seen, and without the wires that are out of view. */
export function drawnFor({ nodes, edges }: Drawn, { box, most }: SeenPart): Drawn {
  const boxes = new Map<string, PlacedBox>(nodes.map((each) => [each.id, boxOf(each)]))
  const isIn = (each: Box | undefined) => each !== undefined && touches(each, box)
  return {
    nodes: nodes.map((each) => withFace(each, isIn(boxes.get(each.id)) ? most : 'bare')),
    edges: edges.filter(({ source, target, selected }) => {
      const ends = [boxes.get(source), boxes.get(target)].filter((each) => each !== undefined)
      return selected === true || isIn(hull(ends))
    }),
  }
}

const faces = { named: new WeakMap<FlowNode, FlowNode>(), bare: new WeakMap<FlowNode, FlowNode>() }

/**
 * Equal cards with equal faces are one object. A card whose size and ports the library has to measure is always
 * whole.
 */
function withFace(node: FlowNode, face: Face): FlowNode {
  if (face === 'whole' || node.type !== 'card' || node.handles === undefined) return node
  const known = faces[face].get(node) ?? { ...node, data: { ...node.data, face } }
  faces[face].set(node, known)
  return known
}

function contains(outer: Box, inner: Box): boolean {
  return (
    outer.x <= inner.x &&
    outer.y <= inner.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  )
}

function touches(a: Box, b: Box): boolean {
  return a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height && b.y <= a.y + a.height
}
