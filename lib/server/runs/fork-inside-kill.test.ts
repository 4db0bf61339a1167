import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import { isDeep } from '#e2e/test-depth'
import type { EventOf, EventType, RunEvent } from '#lib/spec/event'
import { bundleFixture } from './bundle.fixture'

let program: Awaited<ReturnType<typeof bundleFixture>>
beforeAll(async () => {
  if (isDeep) program = await bundleFixture('runs/fork-inside-kill')
})
afterAll(() => program?.remove())

/** `made`: killed right after the fork was made. The others: while the body of its first new call is at work. */
type Case = 'made' | 'effect' | 'read'
const worker = 'call_1_1/call_1_1'

/** One life of the server: the lines that it printed, and the signal that ended it. */
async function life(folder: string, which: Case, order: 'begin' | 'goOn') {
  const child = spawn(process.execPath, [program.file, folder, which, order], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (said.includes('at work\n')) child.kill('SIGKILL')
  })
  const signal = await new Promise((resolve) => child.once('close', (_, by) => resolve(by)))
  return { lines: said.split('\n').slice(0, -1), signal }
}

/** Takes the case through both lives: the events of the whole fork, the worker's last request, what the bodies did. */
async function killed(which: Case) {
  const place = temporaryFolder()
  try {
    expect((await life(place.folder, which, 'begin')).signal).toBe('SIGKILL')
    const { lines, signal } = await life(place.folder, which, 'goOn')
    expect(signal).toBe(null)
    const did = readFileSync(path.join(place.folder, 'did'), 'utf8').trim().split('\n')
    const events: RunEvent[] = lines.slice(0, -1).map((line) => JSON.parse(line))
    return { events, asked: lines.at(-1) ?? '', did }
  } finally {
    place.remove()
  }
}

function all<T extends EventType>(events: readonly RunEvent[], type: T): EventOf<T>[] {
  return events.filter((each): each is EventOf<T> => each.type === type)
}
const results = (events: readonly RunEvent[]) =>
  all(events, 'call.finished').map(({ parent, status, result }) => [parent, status, result.text])
const resumed = (events: readonly RunEvent[]) => all(events, 'run.resumed').map(({ parent }) => parent)
const endsOf = (events: readonly RunEvent[]) =>
  all(events, 'run.finished').map(({ parent, status, answer }) => [parent, status, answer])

describe.runIf(isDeep)('a fork inside a call, through kill −9 @deep (S1-24)', () => {
  it('F1 stands whole when it is killed right after it was made, and goes on by itself', async () => {
    const { events, asked, did } = await killed('made')
    expect(did).toEqual(['send one', 'send two', 'send three'])
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    expect(results(events)).toEqual([
      [worker, 'ok', 'send one is done'],
      [worker, 'ok', 'send three is done'],
      ['call_1_1', 'ok', 'Both are done.'],
      [undefined, 'ok', 'Work is done.'],
    ])
    expect(asked).toContain('Be long.')
  }, 60_000)

  it('F1 goes on after it is killed during a call with an effect, which is unknown and never made twice', async () => {
    const { events, asked, did } = await killed('effect')
    expect(did).toEqual(['send one', 'send two', 'send three'])
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    expect(results(events)).toEqual([
      [worker, 'ok', 'send one is done'],
      [worker, 'unknown', expect.stringContaining('may or may not have happened')],
      ['call_1_1', 'ok', 'Both are done.'],
      [undefined, 'ok', 'Work is done.'],
    ])
    expect(resumed(events)).toEqual([undefined, 'call_1_1', worker])
    expect(endsOf(events)).toEqual([
      [worker, 'completed', 'Both are done.'],
      ['call_1_1', 'completed', 'Work is done.'],
      [undefined, 'completed', 'All done.'],
    ])
    // The step before the fork and the one of the call are not asked for again.
    expect(
      all(events, 'model.requested')
        .filter(({ parent }) => parent === worker)
        .map(({ step }) => step),
    ).toEqual([1, 2, 3])
    expect(asked).toContain('Be long.')
  }, 60_000)

  it('F1 makes a call that only reads again, once', async () => {
    const { events, did } = await killed('read')
    expect(did).toEqual(['send one', 'look two', 'look three', 'look three'])
    expect(results(events).slice(0, 2)).toEqual([
      [worker, 'ok', 'send one is done'],
      [worker, 'ok', 'look three is done'],
    ])
    expect(endsOf(events).at(-1)).toEqual([undefined, 'completed', 'All done.'])
  }, 60_000)
})
