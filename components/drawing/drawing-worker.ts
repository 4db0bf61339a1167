/** Hands the long work for a large drawing to a worker, so that the page never freezes. */
import type { Point, Size } from '#lib/graph/geometry'
import { layout } from '#lib/graph/layout'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument } from '#lib/spec/graph'
import { type JobAnswer, type JobRequest, type Jobs, perform } from './drawing-jobs'

/** Above this many nodes a layout takes longer than a frame. */
const largeDrawing = 200

export const isLarge = (graph: GraphDocument) => graph.nodes.length > largeDrawing

type Result = JobAnswer['result']

let worker: Worker | undefined
let lastId = 0
const waiting = new Map<number, { request: JobRequest; resolve(result: Result): void }>()

/** The results arrive in the order of the requests. Where workers are not available, the work is done here. */
export async function inWorker<J extends keyof Jobs>(
  job: J,
  ...args: Parameters<Jobs[J]>
): Promise<ReturnType<Jobs[J]>> {
  lastId += 1
  const request: JobRequest<J> = { id: lastId, job, args }
  if (typeof Worker === 'undefined') return perform(request)
  worker ??= startWorker()
  return new Promise((resolve) => {
    // cast: the answer to a request has the type of its job
    waiting.set(request.id, { request, resolve: resolve as (result: Result) => void })
    worker?.postMessage(request)
  })
}

function startWorker(): Worker {
  const made = new Worker(new URL('./drawing.worker.ts', import.meta.url), { type: 'module' })
  made.addEventListener('message', ({ data }: MessageEvent<JobAnswer>) => {
    waiting.get(data.id)?.resolve(data.result)
    waiting.delete(data.id)
  })
  made.addEventListener('error', () => {
    made.terminate()
    worker = undefined
    for (const { request, resolve } of waiting.values()) resolve(perform(request))
    waiting.clear()
  })
  return made
}

/** Upper left corners by node id, as returned by `layout`. */
export async function tidyLarge(
  graph: GraphDocument,
  catalog: Catalog,
  sizes?: ReadonlyMap<string, Size>,
): Promise<ReadonlyMap<string, Point>> {
  return isLarge(graph) ? inWorker('layout', graph, catalog, sizes) : layout(graph, catalog, sizes)
}
