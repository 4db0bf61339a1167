/** The messages to and from the layout worker: plain data in both directions. */
import type { Point, Size } from '#lib/graph/geometry'
import { layout } from '#lib/graph/layout'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument } from '#lib/spec/graph'

export interface LayoutTask {
  readonly id: number
  readonly graph: GraphDocument
  readonly catalog: Catalog
  readonly sizes: ReadonlyMap<string, Size> | undefined
}

export interface LayoutAnswer {
  readonly id: number
  readonly places: ReadonlyMap<string, Point>
}

export function layOut({ id, graph, catalog, sizes }: LayoutTask): LayoutAnswer {
  return { id, places: layout(graph, catalog, sizes) }
}
