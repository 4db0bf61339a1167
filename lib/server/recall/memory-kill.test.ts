import { spawn } from 'node:child_process'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import { isDeep } from '#e2e/test-depth'
import { bundleFixture } from '../runs/bundle.fixture'

let place: ReturnType<typeof temporaryFolder>
let program: Awaited<ReturnType<typeof bundleFixture>>
beforeEach(() => {
  place = temporaryFolder()
})
afterEach(() => place.remove())
beforeAll(async () => {
  program = await bundleFixture('recall/memory-kill')
})
afterAll(() => program.remove())

/** One life of the server; one that hangs is killed in the call after the one that recorded. */
async function life(mode: 'hangs' | 'before' | 'after' | 'ends'): Promise<string[]> {
  const child = spawn(process.execPath, [program.file, place.folder, mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (mode === 'hangs' && said.includes('recorded')) child.kill('SIGKILL')
  })
  await new Promise((resolve) => child.once('close', resolve))
  return said.split('\n').slice(0, -1)
}

const remembered = [
  'memory.retrieved 1',
  'memory.recorded 2',
  'user:ada Tea.',
  'user:ada Dog.',
  'user:ada Asked: Go. Answered: Done.',
  'completed',
]

it('S4-06 after a kill, what was recorded is remembered once, and the run is remembered at its end', async () => {
  expect(await life('hangs')).toEqual(['recorded'])
  expect(await life('ends')).toEqual(remembered)
}, 60_000)

it.runIf(isDeep).each(['before', 'after'] as const)(
  '@deep S4-06 after a kill right %s the note is stored, it is remembered once',
  async (mode) => {
    expect(await life(mode)).toEqual([])
    expect(await life('ends')).toEqual(remembered)
  },
  60_000,
)
