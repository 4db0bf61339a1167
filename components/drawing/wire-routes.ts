/** The ways of the drawn wires around the cards, computed again only when a card or a wire has changed. */
import type { routesOf, WireRoute } from '#lib/graph/routes'
import { wireEnds } from '#lib/graph/wire-ends'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument } from '#lib/spec/graph'
import { boxOf } from './boxes'
import { edgeId, type FlowEdge, type FlowNode } from './flow'

/** By the id of the wire on the canvas; a wire without a route is a curve. */
export type WireRoutes = ReadonlyMap<string, WireRoute>

export interface RoutedDrawing {
  readonly nodes: readonly FlowNode[]
  readonly edges: readonly FlowEdge[]
  readonly routes: WireRoutes
}

export function isSameRoute(a: WireRoute, b: WireRoute): boolean {
  return a.out === b.out && a.lane?.at === b.lane?.at && a.lane?.into === b.lane?.into
}

/** The arguments of `routesOf` for a drawing. */
export function routing(
  { graph, catalog }: { readonly graph: GraphDocument; readonly catalog: Catalog },
  nodes: readonly FlowNode[],
): Parameters<typeof routesOf> {
  const cards = nodes.flatMap((each) => (each.type === 'card' ? [boxOf(each)] : []))
  return [wireEnds({ graph, catalog, cards, idOf: edgeId }), cards]
}

/** Whether no card and no wire has changed its place. */
export function isSameRouting(
  previous: Pick<RoutedDrawing, 'nodes' | 'edges'>,
  { nodes, edges }: Pick<RoutedDrawing, 'nodes' | 'edges'>,
): boolean {
  return isSameList(previous.edges, edges) && isUnmoved(previous.nodes, nodes)
}

function isSameList(before: readonly unknown[], now: readonly unknown[]): boolean {
  return before.length === now.length && before.every((each, index) => each === now[index])
}

function isUnmoved(before: readonly FlowNode[], now: readonly FlowNode[]): boolean {
  return (
    before.length === now.length &&
    before.every((each, index) => {
      const other = now[index]
      if (each === other) return true
      return (
        other !== undefined &&
        other.id === each.id &&
        other.position.x === each.position.x &&
        other.position.y === each.position.y &&
        other.measured?.width === each.measured?.width &&
        other.measured?.height === each.measured?.height
      )
    })
  )
}
