import { expect, it } from 'vitest'
import type { EventText } from '#lib/spec/store'
import { createRecentEvents } from './recent-events'

/** A disk that counts its reads. */
function disk(count: number, size: number) {
  const stored = Array.from(
    { length: count },
    (_, n): EventText => ({ seq: n + 1, type: 'x', json: 'x'.repeat(size) }),
  )
  let reads = 0
  return {
    stored,
    reads: () => reads,
    runs: {
      eventTexts: (_: string, after: number, limit = 500, most = Number.POSITIVE_INFINITY) => {
        reads += 1
        const page: EventText[] = []
        for (const event of stored.slice(after, after + limit)) {
          page.push({ ...event })
          if (page.length * size >= most) break
        }
        return page
      },
    },
  }
}

const seqs = (events: readonly EventText[]) => events.map(({ seq }) => seq)

it('gives every reader of a run the same events, read from the disk once', () => {
  const { runs, reads } = disk(5, 10)
  const recent = createRecentEvents(runs)
  const [one, other] = [recent.open('run_1'), recent.open('run_1')]
  const first = one.after(0)
  expect(seqs(first)).toEqual([1, 2, 3, 4, 5])
  const again = other.after(0)
  expect(again.every((event, index) => event === first[index])).toBe(true)
  expect(reads()).toBe(1)
})

it('ends a page with the event that reaches its bound, however large', () => {
  const { runs } = disk(10, 1_000)
  const reader = createRecentEvents(runs, { page: 2_500 }).open('run_1')
  expect(seqs(reader.after(0))).toEqual([1, 2, 3])
  expect(seqs(reader.after(0))).toEqual([1, 2, 3])
  expect(seqs(createRecentEvents(runs, { page: 10 }).open('run_1').after(9))).toEqual([10])
})

it('takes live events only while somebody reads, and reads from the disk what it no longer has', () => {
  const { runs, stored, reads } = disk(30, 1_000)
  const recent = createRecentEvents(runs, { kept: 5_000, page: 3_000 })
  recent.add('run_1', stored)
  const reader = recent.open('run_1')
  recent.add('run_1', stored.slice(0, 20))
  expect(seqs(reader.after(17))).toEqual([18, 19, 20])
  expect(reads()).toBe(0)
  const other = recent.open('run_2')
  expect(seqs(other.after(0))).toEqual([1, 2, 3])
  reader.close()
  expect(seqs(recent.open('run_1').after(17))).toEqual([18, 19, 20])
  expect(reads()).toBe(2)
})

it('is empty at the end of what is stored', () => {
  const { runs } = disk(3, 10)
  expect(createRecentEvents(runs).open('run_1').after(3)).toEqual([])
})
