import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { queued, runRow, temporaryStores, threadRow } from '#db/rows.fixture'
import type { Earlier } from '#lib/spec/event'
import type { RunRow, Stores } from '#lib/spec/store'
import { createUploads, earlierIn } from './run-earlier'

let place: ReturnType<typeof temporaryStores>
let stores: Stores
beforeEach(() => {
  place = temporaryStores()
  stores = place.stores
  stores.threads.insert(threadRow())
})
afterEach(() => place.end())

/** Stores a finished run. A run stored before this record existed has no information about earlier runs. */
function add(
  id: string,
  tools: string[],
  { earlier, ...more }: Partial<RunRow> & { earlier?: Earlier } = {},
) {
  const toolCalls = tools.map((name) => ({ name, count: 1 }))
  const row = runRow({ id, status: 'completed', finishedAt: 2_000, toolCalls, ...more })
  const event = queued(row.threadId)
  if (!stores.runs.insert(row, earlier === undefined ? event : ({ ...event, earlier } as typeof event)))
    throw new Error('busy')
}

function keep(id: string, runId: string | null, threadId = 'thread_1'): void {
  const file = { id, name: 'a.txt', path: 'a.txt', mediaType: 'text/plain', bytes: 1, sha256: 'hash' }
  stores.artifacts.insert({ ...file, threadId, runId, createdAt: 1_000 })
}

describe('what came into a thread', () => {
  it('is nothing before its first run', () => {
    expect(earlierIn(stores, 'thread_1')).toEqual({ tools: [], files: false })
  })

  it('is read back to the first run where none has it on record', () => {
    add('run_0', ['first'])
    for (let count = 1; count < 130; count++) add(`run_${count}`, count === 60 ? ['middle'] : [])
    expect([...earlierIn(stores, 'thread_1').tools].sort()).toEqual(['first', 'middle'])
  })

  it('is what the newest run has on record and used itself, and nothing before is read', () => {
    add('run_1', ['not read, since the next one has it on record'])
    add('run_2', ['web.fetch'], { earlier: { tools: ['files.view'], files: true } })
    expect(earlierIn(stores, 'thread_1')).toEqual({ tools: ['web.fetch', 'files.view'], files: true })
  })

  it('T50 is also what agents used that a run called', () => {
    const agents = [{ key: 'reader@1', problem: 'It was removed.' }]
    add('run_1', ['reader'], { agents, status: 'running', finishedAt: null })
    const call = { callId: 'call_1_1', name: 'fetch', scopeName: 'web.fetch', args: {}, source: 'builtin' }
    const at = { seq: 2, at: 1_500, step: 1, parent: 'call_1_1', node: 'tools/0' }
    const event = { type: 'call.started' as const, ...at, ...call }
    stores.runs.append([{ runId: 'run_1', event, json: JSON.stringify(event) }])
    expect(earlierIn(stores, 'thread_1').tools).toEqual(['reader', 'web.fetch'])
  })

  it('of an old fork is that of its parent’s thread as well', () => {
    stores.threads.insert(threadRow({ id: 'thread_2' }))
    add('run_1', ['web.fetch'])
    add('run_2', ['look'], { threadId: 'thread_2', forkedFrom: { runId: 'run_1', step: 1 } })
    expect(earlierIn(stores, 'thread_2')).toEqual({ tools: ['look', 'web.fetch'], files: false })
  })

  it('is a file that a person put in, and none that a run made', () => {
    add('run_1', [])
    const hasUploads = createUploads(stores.artifacts, 'thread_1')
    keep('artifact_1', 'run_1')
    expect([hasUploads(), earlierIn(stores, 'thread_1').files]).toEqual([false, false])
    keep('artifact_2', null)
    keep('artifact_3', 'run_1')
    expect([hasUploads(), earlierIn(stores, 'thread_1').files]).toEqual([true, true])
    expect(hasUploads()).toBe(true)
  })
})
