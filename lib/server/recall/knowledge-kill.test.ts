import { spawn } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import { isDeep } from '#e2e/test-depth'
import { bundleFixture } from '../runs/bundle.fixture'

let program: Awaited<ReturnType<typeof bundleFixture>>
beforeAll(async () => {
  program = await bundleFixture('recall/knowledge-kill')
})
afterAll(() => program.remove())

/** One life of the program; returns what it printed, and the signal that ended it. */
async function life(folder: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [program.file, folder, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const signal = await new Promise((resolve) => child.once('close', (_, by) => resolve(by)))
  return { said, signal }
}

describe.runIf(isDeep)('@deep S4-07 after a kill', () => {
  const upload = ['slice 1', 'slice 2', 'before the end', 'after the end']

  it.each(upload)(
    'in an upload (%s) the old file or the new one is there, whole and alone',
    async (at) => {
      const place = temporaryFolder()
      try {
        await life(place.folder, 'first')
        expect(await life(place.folder, 'upload', at)).toEqual({ said: '', signal: 'SIGKILL' })
        const { said } = await life(place.folder, 'last')
        const isNew = at === 'after the end'
        expect(JSON.parse(said)).toMatchObject({
          files: [isNew ? 'a.md 800' : 'a.md 300'],
          soup: isNew ? 0 : 20,
          tea: isNew ? 20 : 0,
          passages: isNew ? 800 : 300,
        })
      } finally {
        place.remove()
      }
    },
    60_000,
  )

  it('in the middle of reading all texts, the rest is read, and nothing is read twice', async () => {
    const place = temporaryFolder()
    try {
      await life(place.folder, 'first')
      // The first request is the test of the model; each of the others has 32 texts.
      expect((await life(place.folder, 'reindex', '5')).signal).toBe('SIGKILL')
      const { said } = await life(place.folder, 'last')
      expect(JSON.parse(said)).toMatchObject({
        passages: 300,
        waiting: 0,
        requests: Math.ceil((300 - 3 * 32) / 32),
      })
    } finally {
      place.remove()
    }
  }, 60_000)
})
