import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ArtifactRow, Stores } from '#lib/spec/store'
import { queued, runRow, type TemporaryStores, temporaryStores, threadRow } from '../rows.fixture'

let place: TemporaryStores
let stores: Stores
beforeEach(() => {
  place = temporaryStores()
  stores = place.stores
})
afterEach(() => place.end())

describe('artifacts', () => {
  const row = (change: Partial<ArtifactRow> = {}): ArtifactRow => ({
    id: 'artifact_1',
    threadId: 'thread_1',
    runId: 'run_1',
    name: 'a.txt',
    path: 'notes/a.txt',
    mediaType: 'text/plain',
    bytes: 3,
    sha256: 'aa',
    createdAt: 1,
    ...change,
  })
  beforeEach(() => {
    stores.runs.insert(runRow(), queued(), threadRow())
    stores.threads.insert(threadRow({ id: 'thread_2' }))
  })

  it('come back as they were kept, those of a run in that order', () => {
    stores.artifacts.insert(row({ id: 'artifact_z' }))
    stores.artifacts.insert(row())
    stores.artifacts.insert(row({ id: 'artifact_2', runId: null, path: null }))
    expect(stores.artifacts.get('artifact_1')).toEqual(row())
    expect(stores.artifacts.get('artifact_9')).toBeUndefined()
    expect(stores.artifacts.ofRun('run_1').map((each) => each.id)).toEqual(['artifact_z', 'artifact_1'])
    expect([stores.artifacts.bytesOf('thread_1'), stores.artifacts.bytesOf('thread_2')]).toEqual([9, 0])
  })

  it('are told by their content, and go with their thread, which is noted among the discards', () => {
    stores.artifacts.insert(row())
    stores.artifacts.insert(row({ id: 'artifact_2', sha256: 'bb' }))
    stores.artifacts.insert(row({ id: 'artifact_3', threadId: 'thread_2', runId: null }))
    expect([stores.artifacts.hasContent('bb'), stores.artifacts.hasContent('cc')]).toEqual([true, false])
    expect(stores.threads.remove('thread_2')).toBe('removed')
    expect(stores.artifacts.get('artifact_3')).toBeUndefined()
    expect(stores.artifacts.hasContent('aa')).toBe(true)
    expect(stores.discards.workspaces()).toEqual(['thread_2'])
    expect(stores.discards.contents()).toEqual([{ id: 'artifact_3', sha256: 'aa' }])
    stores.discards.done(['thread_2', 'artifact_3'])
    expect([stores.discards.workspaces(), stores.discards.contents()]).toEqual([[], []])
  })

  it('are not discarded by a removal that does not happen', () => {
    stores.artifacts.insert(row())
    expect(stores.threads.remove('thread_1')).toBe('busy')
    expect(stores.threads.remove('thread_9')).toBe('missing')
    expect([stores.discards.workspaces(), stores.discards.contents()]).toEqual([[], []])
  })

  it('are told with the contents they hold, a page at a time', () => {
    stores.artifacts.insert(row())
    stores.artifacts.insert(row({ id: 'artifact_2', sha256: 'bb' }))
    const [first, ...more] = stores.artifacts.holders(0, 1)
    expect([first, more]).toEqual([{ n: first?.n, id: 'artifact_1', sha256: 'aa' }, []])
    expect(stores.artifacts.holders(first?.n ?? 0, 5).map(({ id }) => id)).toEqual(['artifact_2'])
  })

  it('are kept for a thread that stands alone', () => {
    expect(() => stores.artifacts.insert(row({ threadId: 'thread_9' }))).toThrow('FOREIGN KEY')
  })
})
