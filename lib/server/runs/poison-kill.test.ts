/**
 * A run that kills the server each time it is resumed is given up; the other runs survive and lose nothing.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStores } from '#db/open'
import { temporaryFolder } from '#db/rows.fixture'
import { isDeep } from '#e2e/test-depth'
import { bundleFixture } from './bundle.fixture'

let place: ReturnType<typeof temporaryFolder>
let program: Awaited<ReturnType<typeof bundleFixture>>
beforeAll(async () => {
  place = temporaryFolder()
  program = await bundleFixture('runs/poison-kill')
})
afterAll(() => {
  place.remove()
  program.remove()
})

/** One life of the server, until it kills itself or all runs have ended. */
async function life(): Promise<{ killed: boolean }> {
  const child = spawn(process.execPath, [program.file, place.folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return new Promise((resolve) =>
    child.once('close', (_, signal) => resolve({ killed: signal === 'SIGKILL' })),
  )
}

it.runIf(isDeep)(
  'F11: of three runs at work while one of them kills the server, that one fails as poison and the others are completed @deep',
  async () => {
    let kills = 0
    while ((await life()).killed) {
      kills++
      expect(kills, 'the server comes to rest').toBeLessThan(12)
    }
    expect(kills).toBeGreaterThanOrEqual(3)

    const stores = openStores(path.join(place.folder, 'loopwright.db'))
    const rows = stores.runs.list({}).items
    const runOf = (input: string) => rows.find((row) => row.input === input)
    const innocent = [runOf('innocent-a'), runOf('innocent-b')]
    const calls = innocent.map((row) =>
      stores.runs
        .events(row?.id ?? '')
        .flatMap((event) => (event.type === 'call.finished' ? [event.callId] : [])),
    )
    stores.close()
    expect(runOf('culprit')).toMatchObject({ status: 'failed', error: { code: 'poison' } })
    for (const row of innocent) expect(row).toMatchObject({ status: 'completed', answer: 'All is sent.' })
    for (const each of calls) expect(each.toSorted()).toEqual(['call_1_1', 'call_1_2', 'call_2_1'])

    const sent = readFileSync(path.join(place.folder, 'ran.log'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('send_'))
    expect(new Set(sent).size, 'no effect happens twice').toBe(sent.length)
    expect(new Set(sent.map((line) => line.split(' ')[0]))).toEqual(new Set(['send_a', 'send_b']))
  },
  120_000,
)
