import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  delta,
  finished,
  numbered,
  queued,
  runRow,
  started,
  type TemporaryStores,
  temporaryStores,
  threadRow,
} from '#db/rows.fixture'
import type { EventBody } from '#lib/spec/event'
import type { EventText, Stores } from '#lib/spec/store'
import { createHub, type Hub } from './hub'
import { createJournal, type Journal } from './journal'
import { createRecentEvents, type RecentEvents } from './recent-events'
import { watchRun } from './run-watch'

let place: TemporaryStores
let stores: Stores
let hub: Hub
let recent: RecentEvents
let journal: Journal
let seq: number
beforeEach(() => {
  place = temporaryStores()
  stores = place.stores
  hub = createHub()
  recent = createRecentEvents(stores.runs)
  const publish = (id: string, events: readonly EventText[]) => {
    recent.add(id, events)
    hub.publish(id, events)
  }
  journal = createJournal({
    runs: stores.runs,
    publish,
    lost: (id) => expect.fail(id),
    report: (error) => expect.fail(String(error)),
  })
  stores.runs.insert(runRow(), queued(), threadRow())
  seq = 1
})
afterEach(() => place.end())

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const yieldEvent = (body: EventBody) => journal.append('run_1', numbered(++seq, body))

function watch(after: number, signal = new AbortController().signal, beatMs = 10_000) {
  const { unsyncedFrom } = journal
  const isOpen = (id: string) => unsyncedFrom(id) !== undefined || stores.runs.get(id)?.finishedAt === null
  return watchRun({ recent, hub, isOpen, unsyncedFrom, beatMs }, { runId: 'run_1', after, signal })
}

async function collect(frames: AsyncIterable<EventText | 'beat'>): Promise<number[]> {
  const seqs: number[] = []
  for await (const frame of frames) if (frame !== 'beat') seqs.push(frame.seq)
  return seqs
}

const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, index) => from + index)

it('F6: a stream cut at 200 random places and taken up after the last seq has no gap and no duplicate', async () => {
  const total = 1_500
  const writing = (async () => {
    yieldEvent(started)
    while (seq < total - 1) {
      const burst = Math.min(1 + Math.floor(Math.random() * 40), total - 1 - seq)
      for (let index = 0; index < burst; index++) yieldEvent(delta(`${seq} `))
      await turn()
      if (Math.random() < 0.3) await turn()
    }
    yieldEvent(finished)
  })()

  const received: number[] = []
  let cuts = 0
  let ended = false
  while (!ended) {
    const cut = new AbortController()
    const left = cuts < 200 ? 1 + Math.floor(Math.random() * 12) : Number.POSITIVE_INFINITY
    let taken = 0
    ended = true
    for await (const frame of watch(received.at(-1) ?? 0, cut.signal)) {
      if (frame === 'beat') continue
      received.push(frame.seq)
      if (++taken < left) continue
      cuts++
      // Half of the readers are ended by the signal while they wait; the other half stop reading.
      ended = false
      if (Math.random() < 0.5) break
      cut.abort()
    }
  }
  await writing
  expect(received).toEqual(upTo(total))
  expect(cuts).toBeGreaterThanOrEqual(40)
}, 30_000)

it('two watchers see the same, whenever they come', async () => {
  const first = collect(watch(0))
  yieldEvent(started)
  for (let index = 0; index < 50; index++) yieldEvent(delta('x'))
  await journal.committed()
  const second = collect(watch(0))
  for (let index = 0; index < 50; index++) yieldEvent(delta('y'))
  await turn()
  yieldEvent(finished)
  const late = journal.committed().then(() => collect(watch(0)))
  expect(await Promise.all([first, second, late])).toEqual([upTo(seq), upTo(seq), upTo(seq)])
})

it('T56: a reader that does not read holds no more than its bound, and still gets everything', async () => {
  const reader = watch(0)
  expect((await reader.next()).value).toMatchObject({ seq: 1 })
  yieldEvent(started)
  for (let index = 0; index < 200; index++) {
    yieldEvent(delta('x'.repeat(50_000)))
    if (index % 10 === 0) await turn()
  }
  yieldEvent(finished)
  await journal.committed()
  expect(await collect(reader)).toEqual(upTo(seq, 2))
})

it('ends when nothing more will come: past the end of a finished run, and for a run that is gone', async () => {
  yieldEvent(finished)
  await journal.committed()
  expect(await collect(watch(2))).toEqual([])
  expect(await collect(watch(1))).toEqual([2])
  stores.threads.remove('thread_1')
  expect(await collect(watch(0))).toEqual([])
})

it('the end of a sub-agent’s run is not the end of the run', async () => {
  yieldEvent(started)
  yieldEvent({ ...finished, parent: 'call_1_1' })
  yieldEvent(delta('x'))
  await journal.committed()
  const reader = watch(2)
  expect((await reader.next()).value).toMatchObject({ seq: 3, type: 'run.finished' })
  expect((await reader.next()).value).toMatchObject({ seq: 4 })
  await reader.return()
})

it('S1-25 gives a beat for each ten seconds of silence, and leaves no timer behind', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const leave = new AbortController()
    const reader = watch(1, leave.signal)
    const beats: unknown[] = []
    const reading = (async () => {
      for await (const each of reader) beats.push(each)
    })()
    await vi.advanceTimersByTimeAsync(9_999)
    expect(beats).toEqual([])
    await vi.advanceTimersByTimeAsync(15_001)
    expect(beats).toEqual(['beat', 'beat'])
    expect(vi.getTimerCount()).toBe(1)
    leave.abort()
    await reading
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

it('gives a beat in silence, and ends when the hub closes', async () => {
  const reader = watch(1, undefined, 5)
  expect((await reader.next()).value).toBe('beat')
  hub.close()
  expect(await reader.next()).toEqual({ value: undefined, done: true })
  expect(await collect(watch(0))).toEqual([])
})

it('law 6: a reader that comes while events are written but not yet on disk gets them once they are', async () => {
  yieldEvent(started)
  journal.flush()
  let until: number | undefined = 2
  const isOpen = () => true
  const controller = new AbortController()
  const frames = watchRun(
    { recent, hub, isOpen, unsyncedFrom: () => until },
    { runId: 'run_1', after: 0, signal: controller.signal },
  )
  expect((await frames.next()).value).toMatchObject({ seq: 1 })
  const second = frames.next()
  await turn()
  until = undefined
  hub.publish('run_1', stores.runs.eventTexts('run_1', 1))
  expect((await second).value).toMatchObject({ seq: 2 })
  controller.abort()
  expect((await frames.next()).done).toBe(true)
})
