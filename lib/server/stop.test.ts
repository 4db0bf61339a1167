import { EventEmitter } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Host, type Stoppable, stopOnSignals } from './stop'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A server with what `stopOnSignals` needs, and a process that only records what happens to it. */
function stage(drain: () => Promise<void> = () => Promise.resolve()) {
  const done: string[] = []
  const note = (word: string) => () => void done.push(word)
  const parts = {
    door: { shut: note('shut') },
    server: createServer(),
    composition: {
      drain: () => {
        note('drain')()
        return drain()
      },
      close: note('close'),
    },
    lock: { release: note('release') },
    close: () => Promise.resolve(note('pages')()),
  } as unknown as Stoppable // cast: stopping needs no other members
  const host = Object.assign(new EventEmitter(), { exit: (code: number) => note(`exit ${code}`)() })
  stopOnSignals(parts, host as Host) // cast: an emitter accepts any event name
  return { done, host }
}

test('F9 a signal stops all in order, then the process ends well', async () => {
  const { done, host } = stage()
  host.emit('SIGTERM')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(done).toEqual(['shut', 'drain', 'pages', 'close', 'release', 'exit 0'])
})

test('F9 runs that do not stop hold the process no longer than ten seconds', async () => {
  const { done, host } = stage(() => new Promise(() => undefined))
  host.emit('SIGINT')
  await vi.advanceTimersByTimeAsync(9_000)
  expect(done).toEqual(['shut', 'drain'])
  await vi.advanceTimersByTimeAsync(900)
  expect(done.at(-1)).toBe('exit 0')
})

test('F9 a second signal ends it at once; the echo of the first does not', async () => {
  const { done, host } = stage(() => new Promise(() => undefined))
  host.emit('SIGINT')
  host.emit('SIGINT')
  await vi.advanceTimersByTimeAsync(600)
  expect(done).not.toContain('exit 1')
  host.emit('SIGTERM')
  expect(done.at(-1)).toBe('exit 1')
})

test('a fault on the way out is not taken for a good end', async () => {
  const spoken = console.error
  console.error = () => undefined
  const { done, host } = stage(() => Promise.reject(new Error('planted')))
  host.emit('SIGTERM')
  await vi.advanceTimersByTimeAsync(10)
  console.error = spoken
  expect(done.at(-1)).toBe('exit 1')
})
