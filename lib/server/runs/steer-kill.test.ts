import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import { bundleFixture } from './bundle.fixture'

let place: ReturnType<typeof temporaryFolder>
let program: Awaited<ReturnType<typeof bundleFixture>>
beforeAll(async () => {
  place = temporaryFolder()
  program = await bundleFixture('runs/steer-kill')
})
afterAll(() => {
  place.remove()
  program.remove()
})

/** One life of the server; the first is killed as soon as the messages are accepted. */
async function life(mode: 'hangs' | 'ends'): Promise<string[]> {
  const child = spawn(process.execPath, [program.file, place.folder, mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (mode === 'hangs' && said.includes('accepted')) child.kill('SIGKILL')
  })
  await new Promise((resolve) => child.once('close', resolve))
  return said.split('\n').slice(0, -1)
}

it('E-37 after a kill, messages that were accepted are read once, and the waiting run begins after it', async () => {
  expect(await life('hangs')).toEqual(['accepted'])
  const [first, behind] = (await life('ends')).map((line) => JSON.parse(line))
  expect(first).toMatchObject({ said: ['first', 'one', 'two'], status: 'completed' })
  expect(behind).toMatchObject({ said: ['behind'], status: 'completed', isNext: true })
}, 60_000)
