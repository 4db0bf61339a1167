import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStores } from '#db/open'
import { temporaryFolder } from '#db/rows.fixture'
import { countFor } from '#e2e/test-depth'
import type { RunEvent } from '#lib/spec/event'
import { bundleFixture } from './bundle.fixture'

let place: ReturnType<typeof temporaryFolder>
let program: Awaited<ReturnType<typeof bundleFixture>>
beforeAll(async () => {
  place = temporaryFolder()
  program = await bundleFixture('runs/runs-kill')
})
afterAll(() => {
  place.remove()
  program.remove()
})

/** One life of the server; with `mayDie`, it is killed some milliseconds after it has finished a step. */
async function life(mayDie: boolean): Promise<{ seen: string[]; killed: boolean }> {
  const child = spawn(process.execPath, [program.file, place.folder, mayDie ? 'dies' : 'lives'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  let killing = false
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (!mayDie || killing || !said.includes('"step.finished"')) return
    killing = true
    setTimeout(() => child.kill('SIGKILL'), Math.random() * 60)
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { seen: said.split('\n').slice(0, -1), killed: code !== 0 }
}

const killsDue = countFor({ quick: 2, deep: 6 })

it('F1, F2, F5: killed time and again, a run ends once; nothing seen is lost and no effect happens twice @deep', async () => {
  const seen = new Map<number, string>()
  let kills = 0
  for (let lives = 0; lives < 12; lives++) {
    const { seen: lines, killed } = await life(kills < killsDue)
    for (const line of lines) {
      const { seq }: RunEvent = JSON.parse(line)
      // An event never changes once a client has seen it.
      expect(seen.get(seq) ?? line).toBe(line)
      seen.set(seq, line)
    }
    if (!killed) break
    kills++
  }
  expect(kills).toBe(killsDue)

  const stores = openStores(path.join(place.folder, 'loopwright.db'))
  const [row] = stores.runs.list({}).items
  const events = stores.runs.events(row?.id ?? '')
  stores.close()
  for (const [seq, line] of seen) expect(JSON.stringify(events[seq - 1])).toBe(line)
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1))
  expect(events.filter((event) => event.type === 'run.finished')).toHaveLength(1)
  expect(row).toMatchObject({ status: 'completed', answer: 'All is sent.', steps: 15 })

  const sent = readFileSync(path.join(place.folder, 'ran.log'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('send'))
  expect(new Set(sent).size).toBe(sent.length)
  const results = events.flatMap((event) => (event.type === 'call.finished' ? [event.callId] : []))
  expect([results.length, new Set(results).size]).toEqual([28, 28])
}, 180_000)
