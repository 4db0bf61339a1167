/** Lays out a drawing: a small one at once, a large one in a worker, so that the page never freezes. */
import type { Point, Size } from '#lib/graph/geometry'
import { layout } from '#lib/graph/layout'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument } from '#lib/spec/graph'
import type { LayoutAnswer, LayoutTask } from './layout-task'

/** Above this many nodes a layout takes longer than a frame. */
export const largeDrawing = 200

type Places = ReadonlyMap<string, Point>

let worker: Worker | undefined
let lastId = 0
const waiting = new Map<number, { task: LayoutTask; resolve(places: Places): void }>()

/**
 * Upper left corners by node id, as returned by `layout`. Where workers are not available, the layout runs
 * here.
 */
export async function tidyLarge(
  graph: GraphDocument,
  catalog: Catalog,
  sizes?: ReadonlyMap<string, Size>,
): Promise<Places> {
  if (graph.nodes.length <= largeDrawing || typeof Worker === 'undefined')
    return layout(graph, catalog, sizes)
  worker ??= startWorker()
  lastId += 1
  const task: LayoutTask = { id: lastId, graph, catalog, sizes }
  return new Promise((resolve) => {
    waiting.set(task.id, { task, resolve })
    worker?.postMessage(task)
  })
}

function startWorker(): Worker {
  const made = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' })
  made.addEventListener('message', ({ data }: MessageEvent<LayoutAnswer>) => {
    waiting.get(data.id)?.resolve(data.places)
    waiting.delete(data.id)
  })
  made.addEventListener('error', () => {
    made.terminate()
    worker = undefined
    for (const { task, resolve } of waiting.values()) resolve(layout(task.graph, task.catalog, task.sizes))
    waiting.clear()
  })
  return made
}
