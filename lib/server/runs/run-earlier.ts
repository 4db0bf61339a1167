/** What came into a thread before a run of it: which tools were used there, and whether a person gave files, however long ago. */
import type { Earlier, RunEvent } from '#lib/spec/event'
import type { ArtifactStore, RunSummaryRow, Stores } from '#lib/spec/store'

type Read = Pick<Stores, 'runs' | 'artifacts'>

/** Runs read at once where the newest one does not say what was before it. */
const page = 100

/**
 * Of all runs of the thread up to now, those that were asked again included, since what they wrote stands in the workspace.
 * A run keeps on record what was before it, so that only the newest one is read; runs that were stored without that record
 * are read back to the first.
 */
export function earlierIn(stores: Read, threadId: string): Earlier {
  const tools = new Set<string>()
  let files = stores.artifacts.uploadsBehind(threadId, 0).found
  const take = (known: Earlier) => {
    for (const each of known.tools) tools.add(each)
    files ||= known.files
  }
  let isKnown = false
  for (let cursor: string | undefined, limit = 1; !isKnown; limit = page) {
    const { items, next } = stores.runs.list({ threadId, limit, ...(cursor !== undefined && { cursor }) })
    for (const row of items) {
      take({ tools: row.toolCalls.map(({ name }) => name), files: row.files !== undefined })
      const known = recordOf(stores, row) ?? ofParent(stores, row)
      if (known === undefined) continue
      take(known)
      isKnown = true
      break
    }
    if (next === undefined) break
    cursor = next
  }
  return { tools: [...tools], files }
}

/** What the run's first event says. */
function recordOf({ runs }: Read, { id }: RunSummaryRow): Earlier | undefined {
  const [first] = runs.eventTexts(id, 0, 1)
  if (first === undefined) return undefined
  const event: RunEvent = JSON.parse(first.json)
  return event.type === 'run.queued' ? event.earlier : undefined
}

/** A fork without a record is the first run of its thread, and has what it took over from its parent's. */
function ofParent(stores: Read, { forkedFrom }: RunSummaryRow): Earlier | undefined {
  const parent = forkedFrom === null ? undefined : stores.runs.get(forkedFrom.runId)
  return parent && earlierIn(stores, parent.threadId)
}

/** Whether a person has put files into the thread up to now; each row of the thread's files is looked at once. */
export function createUploads(artifacts: ArtifactStore, threadId: string): () => boolean {
  let known = { found: false, last: 0 }
  return () => {
    if (!known.found) known = artifacts.uploadsBehind(threadId, known.last)
    return known.found
  }
}
