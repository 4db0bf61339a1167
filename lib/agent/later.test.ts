import { expect, test, vi } from 'vitest'
import type { Clock } from './deps'
import { after, LazyAbort } from './later'

test('a lazy abort is seen by its signal, whether that was asked for before or after', () => {
  const early = new LazyAbort()
  const heard = vi.fn()
  early.signal.addEventListener('abort', heard)
  early.abort('cancel')
  early.abort('again')
  expect([heard.mock.calls.length, early.aborted, early.signal.reason]).toEqual([1, true, 'cancel'])
  const late = new LazyAbort()
  late.abort('drain')
  expect([late.signal.aborted, late.signal.reason]).toEqual([true, 'drain'])
})

test('an inner one is aborted with the outer one, and alone before it', () => {
  const outer = new LazyAbort()
  const first = outer.within()
  first.abort('timeout')
  expect([first.aborted, outer.aborted]).toEqual([true, false])
  const second = outer.within()
  outer.abort('cancel')
  expect([second.signal.reason, first.signal.reason]).toEqual(['cancel', 'timeout'])
  expect(outer.within().aborted).toBe(true)
})

test('a timer acts once its time is over, by the clock’s own timers or by its sleep, and never when it is off', async () => {
  vi.useFakeTimers()
  try {
    const sleep: Clock['sleep'] = (ms, signal) =>
      new Promise((resolve, reject) => {
        setTimeout(resolve, ms)
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    const bare: Clock = { now: () => 0, monotonic: () => 0, sleep }
    const timed: Clock = {
      ...bare,
      after: (ms, act) => {
        const timer = setTimeout(act, ms)
        return () => clearTimeout(timer)
      },
    }
    for (const clock of [bare, timed]) {
      const act = vi.fn()
      after(clock, 10, act)
      after(clock, 10, act)()
      await vi.advanceTimersByTimeAsync(9)
      expect(act).not.toHaveBeenCalled()
      await vi.advanceTimersByTimeAsync(20)
      expect(act).toHaveBeenCalledTimes(1)
    }
  } finally {
    vi.useRealTimers()
  }
})
