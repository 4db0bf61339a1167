/** The queue of runs: a limited number at work at once, and a waiting run keeps no other run from a slot. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createQueue } from './run-queue'

const never = () => new AbortController().signal
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A promise, and the function that settles it. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

type Job = () => Promise<void>

function queueOf(concurrency: number) {
  return createQueue<Job>({ concurrency, work: (job) => job(), held: () => false })
}

test('a job that waits lets another have its slot, and has the next free one before all that have not begun', async () => {
  const queue = queueOf(1)
  const order: string[] = []
  const wait = gate()
  const other = gate()
  queue.add('a', async () => {
    await queue.aside('a', () => wait.opened, never())
    order.push('a')
  })
  queue.add('b', async () => {
    order.push('b')
    await other.opened
  })
  queue.add('c', async () => void order.push('c'))
  await turn()
  expect(order).toEqual(['b'])
  expect(queue.ahead('c')).toBe(0)
  wait.open()
  await turn()
  expect(order).toEqual(['b'])
  // The job that has already begun is now ahead of it.
  expect(queue.ahead('c')).toBe(1)
  other.open()
  await turn()
  await queue.idle()
  await turn()
  expect(order).toEqual(['b', 'a', 'c'])
  expect(queue.ahead('c')).toBeUndefined()
})

test('a job that is stopped goes on at once, whether it waits or stands in line for a slot', async () => {
  const queue = queueOf(1)
  const ended: string[] = []
  const stop = new AbortController()
  const busy = gate()
  const wait = gate()
  queue.add('a', async () => {
    await queue.aside('a', () => wait.opened, stop.signal)
    ended.push('a')
  })
  queue.add('b', () => busy.opened)
  await turn()
  wait.open()
  await turn()
  expect(ended).toEqual([])
  stop.abort('cancel')
  await turn()
  expect(ended).toEqual(['a'])
  busy.open()
  await queue.idle()
})

test('never more jobs at work than allowed, however they wait, and all of them end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.array(fc.nat(4), { maxLength: 4 }), { maxLength: 12 }),
      async (concurrency, jobs) => {
        const queue = queueOf(concurrency)
        let atWork = 0
        let most = 0
        const work = async () => {
          atWork += 1
          most = Math.max(most, atWork)
          await turn()
          atWork -= 1
        }
        let ended = 0
        for (const [index, waits] of jobs.entries())
          queue.add(`${index}`, async () => {
            await work()
            for (const turns of waits) {
              const wait = async () => {
                for (let count = 0; count < turns; count++) await turn()
              }
              await queue.aside(`${index}`, wait, never())
              await work()
            }
            ended += 1
          })
        for (let turns = 0; turns < 500 && ended < jobs.length; turns++) await turn()
        expect(ended).toBe(jobs.length)
        expect(most).toBeLessThanOrEqual(concurrency)
        expect(queue.waiting).toBe(0)
      },
    ),
  )
})
