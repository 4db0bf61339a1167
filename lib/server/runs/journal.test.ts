import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openClient, openStores, storesOver } from '#db/open'
import {
  delta,
  finished,
  numbered,
  queued,
  runRow,
  started,
  temporaryFolder,
  threadRow,
} from '#db/rows.fixture'
import type { EventText, Stores } from '#lib/spec/store'
import { createJournal, JournalLoss } from './journal'

let place: ReturnType<typeof temporaryFolder>
let file: string
let stores: Stores
beforeEach(() => {
  place = temporaryFolder()
  file = path.join(place.folder, 'loopwright.db')
  stores = openStores(file)
})
afterEach(() => {
  stores.close()
  place.remove()
})

function addRun(id: string): void {
  stores.runs.insert(runRow({ id, threadId: id }), queued(id), threadRow({ id }))
}

interface Changed {
  readonly later?: (work: () => void, ms: number) => void
  readonly sync?: () => Promise<void>
  readonly append?: Stores['runs']['append']
}

/** A journal that records what it publishes and loses. */
function open({ later, sync, append }: Changed = {}) {
  const published: string[] = []
  const lost: string[] = []
  const journal = createJournal({
    runs: { ...stores.runs, ...(sync && { sync }), ...(append && { append }) },
    publish: (runId, frames: readonly EventText[]) => {
      for (const { seq } of frames) {
        // Law 1: an event is on disk before any client sees it.
        expect(stores.runs.eventTexts(runId, seq - 1, 1)[0]?.seq).toBe(seq)
        published.push(`${runId}:${seq}`)
      }
    },
    report: (error) => expect.fail(String(error)),
    lost: (runId, reason) => lost.push(`${runId} ${reason}`),
    ...(later === undefined ? {} : { later }),
  })
  return { journal, published, lost }
}

it('F5: what all runs yield in a turn is one transaction, published only once it is on disk', async () => {
  addRun('run_a')
  addRun('run_b')
  const { journal, published } = open()
  journal.append('run_a', numbered(2, started))
  journal.append('run_b', numbered(2, started))
  journal.append('run_a', numbered(3, delta('x')))
  expect([published, stores.runs.events('run_a').length]).toEqual([[], 1])
  await journal.committed()
  expect(published).toEqual(['run_a:2', 'run_a:3', 'run_b:2'])
  expect(stores.runs.get('run_b')?.status).toBe('running')
})

it('stores what is pending at once on flush, and waits for nothing when nothing is pending', async () => {
  addRun('run_a')
  const { journal, published } = open()
  await journal.committed()
  journal.append('run_a', numbered(2, started))
  journal.flush()
  expect(published).toEqual(['run_a:2'])
  await journal.committed()
})

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('events that come within a few milliseconds share a transaction, unless somebody waits for them', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  try {
    addRun('run_a')
    const { journal, published } = open({ sync: async () => {} })
    journal.append('run_a', numbered(2, started))
    for (let seq = 3; seq <= 5; seq++) {
      journal.append('run_a', numbered(seq, delta('x')))
      await turn()
    }
    expect(published).toEqual([])
    vi.advanceTimersByTime(10)
    await turn()
    expect(published).toEqual(['run_a:2', 'run_a:3', 'run_a:4', 'run_a:5'])
    journal.append('run_a', numbered(6, delta('x')))
    await journal.committed()
    expect(published.at(-1)).toBe('run_a:6')
    journal.append('run_a', numbered(7, delta('x')))
    journal.append('run_a', numbered(8, finished))
    await turn()
    await turn()
    expect(published.at(-1), 'the watchers of a run wait for its end').toBe('run_a:8')
  } finally {
    vi.useRealTimers()
  }
})

/** A disk that is busy until it is told to finish, or to fail, what was asked of it. */
function slowDisk() {
  const asked: { finish(): void; fail(error: Error): void }[] = []
  const sync = () => new Promise<void>((finish, fail) => asked.push({ finish, fail }))
  return { asked, sync }
}

it.each([
  { takes: 0, pause: 6 },
  { takes: 4, pause: 24 },
  { takes: 30, pause: 40 },
])('runs that share a transaction of $takes ms wait $pause ms for the next one', async ({ takes, pause }) => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  try {
    addRun('run_a')
    addRun('run_b')
    const append: Stores['runs']['append'] = (batch) => {
      vi.advanceTimersByTime(takes)
      return stores.runs.append(batch)
    }
    const { journal, published } = open({ sync: async () => {}, append })
    for (const run of ['run_a', 'run_b']) journal.append(run, numbered(2, started))
    await journal.committed()
    journal.append('run_a', numbered(3, delta('x')))
    const stored = journal.committed()
    vi.advanceTimersByTime(pause - 1)
    await turn()
    expect(published).toEqual(['run_a:2', 'run_b:2'])
    vi.advanceTimersByTime(1)
    await stored
    expect(published.at(-1)).toBe('run_a:3')
  } finally {
    vi.useRealTimers()
  }
})

it('law 6: an event that is written is published only when the disk has it, and what comes meanwhile waits for its own turn', async () => {
  addRun('run_a')
  const { asked, sync } = slowDisk()
  const { journal, published } = open({ sync })
  journal.append('run_a', numbered(2, started))
  const first = journal.committed()
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  expect([published, journal.unsyncedFrom('run_a'), journal.unsyncedFrom('run_b')]).toEqual([
    [],
    2,
    undefined,
  ])
  journal.append('run_a', numbered(3, delta('x')))
  const second = journal.committed()
  await turn()
  expect(stores.runs.events('run_a'), 'the third event is not written yet').toHaveLength(2)
  asked[0]?.finish()
  await first
  expect([published, journal.unsyncedFrom('run_a')]).toEqual([['run_a:2'], undefined])
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  expect([published, journal.unsyncedFrom('run_a')]).toEqual([['run_a:2'], 3])
  asked[1]?.finish()
  await second
  expect(published).toEqual(['run_a:2', 'run_a:3'])
})

it('a flush while the disk is busy publishes everything once and in order, and nothing that is written later', async () => {
  addRun('run_a')
  const { asked, sync } = slowDisk()
  const { journal, published } = open({ sync })
  journal.append('run_a', numbered(2, started))
  const done = journal.committed()
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  journal.append('run_a', numbered(3, delta('x')))
  journal.flush()
  await done
  expect(published).toEqual(['run_a:2', 'run_a:3'])
  journal.append('run_a', numbered(4, delta('y')))
  const last = journal.committed()
  asked[0]?.finish()
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  expect(published).toEqual(['run_a:2', 'run_a:3'])
  asked[1]?.finish()
  await last
  expect(published).toEqual(['run_a:2', 'run_a:3', 'run_a:4'])
})

it('F13: a disk that fails after the write loses nothing silently: every run of the batch is told, and nothing is published', async () => {
  addRun('run_a')
  addRun('run_b')
  const { asked, sync } = slowDisk()
  const { journal, published, lost } = open({ sync })
  journal.append('run_a', numbered(2, started))
  journal.append('run_b', numbered(2, started))
  const done = expect(journal.committed()).rejects.toThrow(JournalLoss)
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  asked[0]?.fail(Object.assign(new Error('the disk failed'), { code: 'SQLITE_IOERR_FSYNC' }))
  await done
  expect([published, lost]).toEqual([[], ['run_a io', 'run_b io']])
  journal.append('run_a', numbered(3, delta('x')))
  const next = journal.committed()
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  asked[1]?.finish()
  await next
  expect(published).toEqual(['run_a:3'])
})

it('does not wait for the end of a turn that never ends', () => {
  addRun('run_a')
  const { journal, published } = open()
  for (let seq = 2; seq <= 2_101; seq++) journal.append('run_a', numbered(seq, delta('x')))
  expect(published).toHaveLength(2_000)
  journal.flush()
  expect(published).toHaveLength(2_100)
})

it('F10: tells a run whose events come after its end, and holds up no other', async () => {
  addRun('run_a')
  addRun('run_b')
  const { journal, published, lost } = open()
  journal.append('run_a', numbered(2, finished))
  journal.flush()
  journal.append('run_a', numbered(3, started))
  journal.append('run_b', numbered(2, started))
  await journal.committed()
  expect(lost).toEqual(['run_a refused'])
  expect(published).toEqual(['run_a:2', 'run_b:2'])
})

it('F13: a full disk loses nothing silently: the run is told, reading goes on, and writing too once there is room', async () => {
  addRun('run_a')
  stores.close()
  const client = openClient(file)
  stores = storesOver(client)
  client.pragma(`max_page_count = ${client.pragma('page_count', { simple: true })}`)
  const { journal, published, lost } = open()
  const long = numbered(2, delta('x'.repeat(500_000)))
  journal.append('run_a', long)
  await expect(journal.committed()).rejects.toThrow(JournalLoss)
  expect([published, lost]).toEqual([[], ['run_a full']])
  expect(stores.runs.events('run_a')).toHaveLength(1)
  client.pragma('max_page_count = 100000')
  journal.append('run_a', long)
  await journal.committed()
  expect([published, client.pragma('integrity_check', { simple: true })]).toEqual([['run_a:2'], 'ok'])
})

it('F14: a file locked by another process is tried again until it is free', async () => {
  addRun('run_a')
  const waits: number[] = []
  const other = openClient(file)
  other.exec('begin immediate')
  const later = (work: () => void, ms: number) => {
    waits.push(ms)
    if (waits.length === 2) other.exec('rollback')
    setImmediate(work)
  }
  const { journal, published, lost } = open({ later })
  journal.append('run_a', numbered(2, started))
  await journal.committed()
  expect([published, lost, waits.length]).toEqual([['run_a:2'], [], 2])
  expect(new Set(waits).size).toBe(2)
  other.close()
})

it('any interleaving of runs gives each of them seq 1..n, in order', async () => {
  let round = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 60 }), async (order) => {
      round++
      const { journal, published } = open()
      const next = [2, 2, 2]
      const ids = next.map((_, index) => `run_${round}_${index}`)
      for (const id of ids) addRun(id)
      for (const each of order) {
        const id = ids[each]
        if (id === undefined) {
          if (each === 3) journal.flush()
          else await journal.committed()
          continue
        }
        const seq = next[each] ?? 0
        next[each] = seq + 1
        journal.append(id, numbered(seq, delta('x')))
      }
      await journal.committed()
      for (const [index, id] of ids.entries()) {
        const expected = Array.from({ length: (next[index] ?? 0) - 1 }, (_, at) => at + 1)
        expect(stores.runs.events(id).map((event) => event.seq)).toEqual(expected)
        expect(published.filter((each) => each.startsWith(`${id}:`))).toEqual(
          expected.slice(1).map((seq) => `${id}:${seq}`),
        )
      }
    }),
    { numRuns: 25 },
  )
}, 30_000)
