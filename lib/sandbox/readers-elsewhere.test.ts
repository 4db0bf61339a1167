/** All tests of the readers once more behind the walls that are used where bubblewrap does not hold. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isDeep } from '#e2e/test-depth'
import { lackOfDeno } from './python.fixture'
import type { ReaderWall } from './reader-walls'

vi.setConfig({ testTimeout: 60_000 })

const tiers: readonly { id: ReaderWall['id']; lack: string | undefined }[] = [
  { id: 'deno', lack: isDeep ? lackOfDeno() : 'not run: only in npm run test:deep' },
  { id: 'node', lack: isDeep ? undefined : 'not run: only in npm run test:deep' },
]

describe.each(tiers)('@deep behind $id $lack', ({ id, lack }) => {
  if (lack !== undefined) {
    // A suite that is skipped still loads its files, which takes seconds.
    it.skipIf(true)('every reader', () => undefined)
    return
  }
  // biome-ignore lint/correctness/usePlaywrightValidDescribeCallback: Vitest waits for it
  describe('every reader', async () => {
    // A file is loaded once, unless it is forgotten; the tests then have modules of their own, which the wall is set in.
    vi.resetModules()
    const { readersBehind } = await import('./reader-tier.fixture')
    const { readerWall } = await import('./reader-wall')
    let undo = () => {}
    beforeAll(() => {
      undo = readersBehind(id)
    })
    afterAll(() => undo())
    const isBehind = async () => expect((await readerWall())?.id).toBe(id)

    it('is behind that wall', isBehind)
    await import('./tables.test')
    await import('./document.test')
    await import('./charts.test')
    await import('./reports.test')
    await import('./json-query.test')
    await import('./page.test')
    await import('./skills.test')
    it('is behind that wall at the end', isBehind)
  })
})
