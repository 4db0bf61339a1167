import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import type { RunEvent } from '#lib/spec/event'
import { bundleFixture } from './bundle.fixture'

let program: Awaited<ReturnType<typeof bundleFixture>>
let place: ReturnType<typeof temporaryFolder>
beforeAll(async () => {
  program = await bundleFixture('runs/reply-kill')
})
afterAll(() => program.remove())
beforeEach(() => {
  place = temporaryFolder()
})
afterEach(() => place.remove())

interface Life {
  readonly events: RunEvent[]
  readonly wasKilled: boolean
}

/** One life of the server, killed when it prints `killAt`. */
async function life(order: 'begin' | 'reply', killAt?: string): Promise<Life> {
  const child = spawn(process.execPath, [program.file, place.folder, order], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (killAt !== undefined && printed.includes(killAt)) child.kill('SIGKILL')
  })
  const signal = await new Promise((resolve) => child.once('close', (_, by) => resolve(by)))
  const lines = printed.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'))
  return { events: lines.map((line) => JSON.parse(line)), wasKilled: signal === 'SIGKILL' }
}

const count = (events: readonly RunEvent[], type: RunEvent['type']) =>
  events.filter((each) => each.type === type).length

function sent(): string[] {
  const file = path.join(place.folder, 'sent')
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
}

test('S0-33 F2: a question waits through kill -9, and its call of class effect goes on once with the reply', async () => {
  expect((await life('begin', '"input.requested"')).wasKilled).toBe(true)
  const { events } = await life('reply')
  expect(events.at(-1)).toMatchObject({ type: 'run.finished', status: 'completed' })
  expect([count(events, 'input.requested'), count(events, 'input.given')]).toEqual([1, 1])
  expect(count(events, 'call.continued')).toBe(1)
  expect(sent()).toEqual(['half Lisbon'])
}, 60_000)

test('F2: killed once the call has begun again, it never runs a third time', async () => {
  await life('begin', '"input.requested"')
  expect((await life('reply', '"call.continued"')).wasKilled).toBe(true)
  const { events } = await life('reply')
  expect(events.at(-1)).toMatchObject({ type: 'run.finished', status: 'completed' })
  expect(count(events, 'input.given')).toBe(1)
  const end = events.find((each) => each.type === 'call.finished')
  const status = end?.type === 'call.finished' ? end.status : undefined
  // The kill comes after the beginning is on disk, and before or after the body's own line.
  expect(sent().length).toBeLessThanOrEqual(1)
  expect(['unknown', 'ok']).toContain(status)
  if (status === 'ok') expect(sent()).toHaveLength(1)
}, 60_000)
