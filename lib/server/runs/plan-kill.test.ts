import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import { bundleFixture } from './bundle.fixture'

let place: ReturnType<typeof temporaryFolder>
let program: Awaited<ReturnType<typeof bundleFixture>>
beforeAll(async () => {
  place = temporaryFolder()
  program = await bundleFixture('runs/plan-kill')
})
afterAll(() => {
  place.remove()
  program.remove()
})

/** One life of the server; the first is killed as soon as the person's change is accepted. */
async function life(mode: 'hangs' | 'ends'): Promise<string[]> {
  const child = spawn(process.execPath, [program.file, place.folder, mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (mode === 'hangs' && said.includes('changed')) child.kill('SIGKILL')
  })
  await new Promise((resolve) => child.once('close', resolve))
  return said.split('\n').slice(0, -1)
}

it('X-12 after a kill, the plan is as the model and the person left it, and the run goes on with it', async () => {
  expect(await life('hangs')).toEqual(['changed'])
  expect(await life('ends')).toEqual([
    'model Revenue: todo todo',
    'person Mine: todo todo todo',
    'model Mine: in_progress todo todo',
    'true true',
    'completed',
  ])
}, 60_000)
