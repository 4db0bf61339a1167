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

  it('are told by their content, and go with their thread', () => {
    stores.artifacts.insert(row())
    stores.artifacts.insert(row({ id: 'artifact_2', sha256: 'bb' }))
    stores.artifacts.insert(row({ id: 'artifact_3', threadId: 'thread_2', runId: null }))
    expect(stores.artifacts.contentsOnlyOf('thread_1')).toEqual(['bb'])
    expect(stores.artifacts.contentsOnlyOf('thread_2')).toEqual([])
    expect(stores.threads.remove('thread_2')).toBe('removed')
    expect(stores.artifacts.get('artifact_3')).toBeUndefined()
    expect(stores.artifacts.contentsOnlyOf('thread_1').sort()).toEqual(['aa', 'bb'])
    expect([stores.artifacts.hasContent('aa'), stores.artifacts.hasContent('cc')]).toEqual([true, false])
  })

  it('are kept for a thread that stands alone', () => {
    expect(() => stores.artifacts.insert(row({ threadId: 'thread_9' }))).toThrow('FOREIGN KEY')
  })
})
