import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import type { RunEvent } from '#lib/spec/event'
import { bundleFixture } from './bundle.fixture'

let place: ReturnType<typeof temporaryFolder>
let program: Awaited<ReturnType<typeof bundleFixture>>
beforeAll(async () => {
  place = temporaryFolder()
  program = await bundleFixture('runs/fork-kill')
})
afterAll(() => {
  place.remove()
  program.remove()
})

/** One life of the server: its output, and the signal that ended it. */
async function life(): Promise<{ said: string; signal: unknown }> {
  const child = spawn(process.execPath, [program.file, place.folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const signal = await new Promise((resolve) => child.once('close', (_, by) => resolve(by)))
  return { said, signal }
}

it('killed right after it was made, a fork stands whole and goes on by itself', async () => {
  expect((await life()).signal).toBe('SIGKILL')
  const { said, signal } = await life()
  expect(signal).toBe(null)
  const events: RunEvent[] = JSON.parse(said)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  const results = events.flatMap((each) => (each.type === 'call.finished' ? [each.result.text] : []))
  expect(results).toEqual(['42', '4'])
  expect(events.at(-1)).toMatchObject({ type: 'run.finished', status: 'completed', answer: 'done' })
  expect(events.some(({ type }) => type === 'run.resumed')).toBe(false)
}, 60_000)
