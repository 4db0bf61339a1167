import { spawn } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openClient, openStores } from '#db/open'
import { temporaryFolder } from '#db/rows.fixture'
import { countFor } from '#e2e/test-depth'
import { bundleFixture } from './bundle.fixture'

const kills = countFor({ quick: 5, deep: 20 })
let place: ReturnType<typeof temporaryFolder>
let program: Awaited<ReturnType<typeof bundleFixture>>
beforeAll(async () => {
  place = temporaryFolder()
  program = await bundleFixture('runs/journal-kill')
})
afterAll(() => {
  place.remove()
  program.remove()
})

/**
 * Starts the writer, kills it some ms after its first output, and returns the
 * last seq it printed of each run.
 */
async function killed(file: string, afterMs: number): Promise<Map<string, number>> {
  const child = spawn(process.execPath, [program.file, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), afterMs))
  await new Promise((resolve) => child.once('close', resolve))
  const last = new Map<string, number>()
  // The text after the last line break was cut off when the process died.
  for (const line of said.split('\n').slice(0, -1)) {
    const [runId = '', seq = ''] = line.split(':')
    expect(line).toMatch(/^run_[abc]:\d+$/)
    last.set(runId, Number(seq))
  }
  return last
}

it('F1, F5: of what was acknowledged nothing is lost by kill -9, and the file stays whole @deep', async () => {
  const file = path.join(place.folder, 'loopwright.db')
  let acknowledged = 0
  for (let round = 0; round < kills; round++) {
    const seen = await killed(file, Math.random() * 60)
    const stores = openStores(file)
    for (const id of ['run_a', 'run_b', 'run_c']) {
      const seqs = stores.runs.events(id).map((event) => event.seq)
      expect(seqs).toEqual(seqs.map((_, index) => index + 1))
      expect(seqs.length).toBeGreaterThanOrEqual(seen.get(id) ?? 0)
      acknowledged = Math.max(acknowledged, seen.get(id) ?? 0)
    }
    stores.close()
  }
  const client = openClient(file)
  expect(client.pragma('integrity_check', { simple: true })).toBe('ok')
  client.close()
  expect(acknowledged).toBeGreaterThan(kills)
}, 180_000)
