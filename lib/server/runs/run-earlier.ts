/**
 * What came into a thread before a run: which tools were used, and whether a person gave files, at any time.
 */
import type { Earlier, RunEvent } from '#lib/spec/event'
import type { ArtifactStore, RunSummaryRow, Stores } from '#lib/spec/store'

type Read = Pick<Stores, 'runs' | 'artifacts' | 'threads'>

/** Runs read at once where the newest one has no record of what came before it. */
const page = 100

/**
 * Covers all runs of the thread so far, including those that were asked again, since their files are still in
 * the workspace. Each run stores what came before it, so only the newest one is read. Runs stored without
 * that record are read back to the first one.
 */
export function earlierIn(stores: Read, threadId: string): Earlier {
  const tools = new Set<string>()
  let files = stores.artifacts.uploadsBehind(threadId, 0).found
  const take = (known: Earlier) => {
    for (const each of known.tools) tools.add(each)
    files ||= known.files
  }
  const deleted = stores.threads.earlier(threadId)
  if (deleted !== undefined) take(deleted)
  for (const row of newestFirst(stores, threadId)) {
    take({
      tools: [...row.toolCalls.map(({ name, scopeName = name }) => scopeName), ...usedInside(stores, row)],
      files: row.files !== undefined,
    })
    const known = recordOf(stores, row) ?? ofParent(stores, row)
    if (known === undefined) continue
    take(known)
    break
  }
  return { tools: [...tools], files }
}

/** The tools that agents used which the run called. The events of a run without such agents are not read. */
function usedInside({ runs }: Read, { id }: RunSummaryRow): string[] {
  if (runs.agentsOf(id).length === 0) return []
  return runs
    .settledEvents(id)
    .flatMap((event) =>
      event.type === 'call.started' && event.parent !== undefined ? [event.scopeName ?? event.name] : [],
    )
}

function* newestFirst({ runs }: Read, threadId: string): Generator<RunSummaryRow, void> {
  const newest = runs.newestIn(threadId)
  if (newest === undefined) return
  yield newest
  for (let cursor: string | undefined; ; ) {
    const { items, next } = runs.list({ threadId, limit: page, ...(cursor !== undefined && { cursor }) })
    yield* cursor === undefined ? items.slice(1) : items
    if (next === undefined) return
    cursor = next
  }
}

/** The record in the run's first event. */
function recordOf({ runs }: Read, { id }: RunSummaryRow): Earlier | undefined {
  const [first] = runs.eventTexts(id, 0, 1)
  if (first === undefined) return undefined
  const event: RunEvent = JSON.parse(first.json)
  return event.type === 'run.queued' ? event.earlier : undefined
}

/**
 * A fork without a record is the first run of its thread; what came before it is in the thread of its parent.
 */
function ofParent(stores: Read, { forkedFrom }: RunSummaryRow): Earlier | undefined {
  const parent = forkedFrom === null ? undefined : stores.runs.stored(forkedFrom.runId)
  return parent && earlierIn(stores, parent.threadId)
}

/** Whether a person has put files into the thread so far; each file row of the thread is read once. */
export function createUploads(artifacts: ArtifactStore, threadId: string): () => boolean {
  let known = { found: false, last: 0 }
  return () => {
    if (!known.found) known = artifacts.uploadsBehind(threadId, known.last)
    return known.found
  }
}
