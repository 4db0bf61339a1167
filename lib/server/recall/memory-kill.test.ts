import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import { bundleFixture } from '../runs/bundle.fixture'

let place: ReturnType<typeof temporaryFolder>
let program: Awaited<ReturnType<typeof bundleFixture>>
beforeAll(async () => {
  place = temporaryFolder()
  program = await bundleFixture('recall/memory-kill')
})
afterAll(() => {
  place.remove()
  program.remove()
})

/** One life of the server; the first is killed in the call after the one that recorded. */
async function life(mode: 'hangs' | 'ends'): Promise<string[]> {
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

it('S4-06 after a kill, what was recorded is remembered once, and the run is remembered at its end', async () => {
  expect(await life('hangs')).toEqual(['recorded'])
  expect(await life('ends')).toEqual([
    'memory.retrieved 1',
    'memory.recorded 2',
    'user:ada Tea.',
    'user:ada Dog.',
    'user:ada Asked: Go. Answered: Done.',
    'completed',
  ])
}, 60_000)
