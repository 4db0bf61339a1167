import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import { isDeep } from '#e2e/test-depth'
import type { EventOf, EventType, RunEvent } from '#lib/spec/event'
import { bundleFixture } from './bundle.fixture'

let program: Awaited<ReturnType<typeof bundleFixture>>
beforeAll(async () => {
  program = await bundleFixture('runs/child-kill')
})
afterAll(() => program.remove())

type Case = 'effect' | 'approval' | 'two'

/** One life of the server. The first is killed once it has said `killAt` this often. */
async function life(
  folder: string,
  which: Case,
  killAt?: { what: string; times: number },
): Promise<RunEvent[]> {
  const order = killAt === undefined ? 'goOn' : 'begin'
  const child = spawn(process.execPath, [program.file, folder, which, order], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (killAt !== undefined && said.split(killAt.what).length > killAt.times) child.kill('SIGKILL')
  })
  await new Promise((resolve) => child.once('close', resolve))
  return said
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

/** Runs the case through both lives; returns the events of the whole run, and what the bodies did. */
async function killed(which: Case, killAt: { what: string; times: number }) {
  const place = temporaryFolder()
  try {
    await life(place.folder, which, killAt)
    const events = await life(place.folder, which)
    let did: string[] = []
    try {
      did = readFileSync(path.join(place.folder, 'did'), 'utf8').trim().split('\n')
    } catch {
      // No body has begun.
    }
    return { events, did }
  } finally {
    place.remove()
  }
}

function all<T extends EventType>(events: readonly RunEvent[], type: T): EventOf<T>[] {
  return events.filter((each): each is EventOf<T> => each.type === type)
}
const results = (events: readonly RunEvent[]) =>
  all(events, 'call.finished').map(({ parent, status, result }) => [parent, status, result.text])

it.runIf(isDeep)(
  'F1 killed during a call with an effect inside, the run inside goes on and the call is unknown, never made twice @deep',
  async () => {
    const { events, did } = await killed('effect', { what: '"call.started"', times: 2 })
    expect(did).toEqual(['send'])
    expect(results(events)).toEqual([
      ['call_1_1', 'unknown', expect.stringContaining('may or may not have happened')],
      [undefined, 'ok', 'send is done.'],
    ])
    expect(all(events, 'run.resumed').map(({ parent, reason }) => [parent, reason])).toEqual([
      [undefined, 'crash'],
      ['call_1_1', 'crash'],
    ])
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', status: 'completed', answer: 'All done.' })
    expect(all(events, 'model.requested').filter(({ parent }) => parent !== undefined)).toHaveLength(2)
  },
  60_000,
)

it('F1 killed while a call inside waits for a person, the run rests and goes on with the decision', async () => {
  const { events, did } = await killed('approval', { what: '"call.rested"', times: 1 })
  expect(did).toEqual(['send'])
  expect(all(events, 'run.resumed')).toEqual([])
  expect(all(events, 'approval.decided').map(({ parent, by }) => [parent, by])).toEqual([
    ['call_1_1', 'person'],
  ])
  expect(results(events)).toEqual([
    ['call_1_1', 'ok', 'sent'],
    [undefined, 'ok', 'send is done.'],
  ])
}, 60_000)

it.runIf(isDeep)(
  'F1 killed while two agents work side by side, both go on from where they were @deep',
  async () => {
    const { events, did } = await killed('two', { what: '"call.started"', times: 4 })
    // Reads may be made again.
    expect(did).toEqual(['look', 'look', 'look', 'look'])
    expect(all(events, 'model.requested').filter(({ parent }) => parent !== undefined)).toHaveLength(4)
    expect(results(events).filter(([parent]) => parent === undefined)).toEqual([
      [undefined, 'ok', 'look is done.'],
      [undefined, 'ok', 'look is done.'],
    ])
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  },
  60_000,
)
